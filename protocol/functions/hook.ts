/** The pre-generate hook of the harness, and the preview of what it says. Schemas are published with their definitions, as the harness knows them. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const DRAFT = "http://json-schema.org/draft-07/schema#";
const COUNT = { format: "uint64", minimum: 0, type: "integer" } as const;
const INTERNAL = { internal: true, trace_hidden: true } as const;

/** How the harness shows functions to the model; an unknown word counts as `other`, a missing one as `agent_trigger`. */
export type Exposure = "agent_trigger" | "native" | "other";

export interface PreGenerateHookRequest {
  readonly session_id: string;
  readonly turn_id: string;
  readonly step: number;
  readonly depth: number;
  readonly generate: {
    readonly system_prompt: string;
    /** Opaque: whatever the harness keeps as its messages. */
    readonly messages: readonly unknown[];
    readonly functions_generation: number;
    readonly tools: readonly { readonly name: string }[];
    readonly expose?: unknown;
  };
}

export type SkipReason =
  | "search_unavailable"
  | "already_searched"
  | "narrow_surface"
  | "already_operating"
  | "task_guided"
  | "hint_already_sent";

export interface PreGenerateHookResponse {
  readonly decision: "continue";
  readonly mutations?: { readonly append_messages: readonly HintMessage[] };
  readonly annotations: { readonly directory: DiscoveryAnnotation };
}

export interface HintMessage {
  readonly role: "user";
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** What a transcript keeps of one pass: outcome, reason and two counts, nothing of the conversation. */
export interface DiscoveryAnnotation {
  readonly type: "console.transcript";
  readonly version: 1;
  readonly summary: string;
  readonly data: {
    readonly outcome: "hint_injected" | "skipped";
    readonly reason?: SkipReason;
    readonly allowed_functions: number;
    readonly functions_generation: number;
  };
}

const HookRequest = Type.Unsafe<PreGenerateHookRequest>({
  $schema: DRAFT,
  title: "PreGenerateHookRequest",
  type: "object",
  required: ["depth", "generate", "session_id", "step", "turn_id"],
  properties: {
    depth: { format: "uint32", minimum: 0, type: "integer" },
    generate: { $ref: "#/definitions/GeneratePayload" },
    session_id: { type: "string" },
    step: COUNT,
    turn_id: { type: "string" },
  },
  definitions: {
    ExposeKind: {
      oneOf: [
        { enum: ["agent_trigger", "native"], type: "string" },
        { description: "Any way that this version doesn't know.", enum: ["other"], type: "string" },
      ],
    },
    GeneratePayload: {
      type: "object",
      required: ["functions_generation", "messages", "system_prompt", "tools"],
      properties: {
        expose: {
          allOf: [{ $ref: "#/definitions/ExposeKind" }],
          description: "How functions are shown to the model; absent: by agent_trigger.",
        },
        functions_generation: COUNT,
        messages: { items: true, type: "array" },
        system_prompt: { type: "string" },
        tools: { items: { $ref: "#/definitions/ToolSchema" }, type: "array" },
      },
    },
    ToolSchema: {
      description: "A function that the model may call.",
      type: "object",
      required: ["description", "name", "parameters"],
      properties: { description: { type: "string" }, name: { type: "string" }, parameters: true },
    },
  },
});

/** Only what the hook needs: a harness of another version must not be turned away for a detail. */
const AcceptedHookRequest = Type.Object({
  session_id: Type.String(),
  turn_id: Type.String(),
  step: Type.Integer({ minimum: 0 }),
  depth: Type.Integer({ minimum: 0 }),
  generate: Type.Object({
    system_prompt: Type.String(),
    messages: Type.Array(Type.Unknown()),
    functions_generation: Type.Integer({ minimum: 0 }),
    tools: Type.Array(Type.Object({ name: Type.String() })),
  }),
});

const HookResponse = Type.Unsafe<PreGenerateHookResponse>({
  $schema: DRAFT,
  title: "PreGenerateHookResponse",
  type: "object",
  required: ["annotations", "decision"],
  properties: {
    annotations: { $ref: "#/definitions/PreGenerateAnnotations" },
    decision: { type: "string" },
    mutations: { anyOf: [{ $ref: "#/definitions/PreGenerateMutations" }, { type: "null" }] },
  },
  definitions: {
    DiscoveryOutcome: { enum: ["hint_injected", "skipped"], type: "string" },
    DiscoveryPassV1: {
      description: "One pass of the hook: outcome, reason and two counts.",
      type: "object",
      required: ["allowed_functions", "functions_generation", "outcome"],
      properties: {
        allowed_functions: COUNT,
        functions_generation: COUNT,
        outcome: { $ref: "#/definitions/DiscoveryOutcome" },
        reason: { anyOf: [{ $ref: "#/definitions/DiscoveryReason" }, { type: "null" }] },
      },
    },
    DiscoveryReason: {
      enum: ["search_unavailable", "already_searched", "narrow_surface", "already_operating", "task_guided", "hint_already_sent"],
      type: "string",
    },
    DiscoveryTranscriptAnnotation: {
      type: "object",
      required: ["data", "summary", "type", "version"],
      properties: {
        data: { $ref: "#/definitions/DiscoveryPassV1" },
        summary: { type: "string" },
        type: { type: "string" },
        version: { format: "uint8", minimum: 0, type: "integer" },
      },
    },
    PreGenerateAnnotations: {
      type: "object",
      required: ["directory"],
      properties: { directory: { $ref: "#/definitions/DiscoveryTranscriptAnnotation" } },
    },
    PreGenerateMutations: {
      type: "object",
      required: ["append_messages"],
      properties: {
        append_messages: {
          description: "Messages at the end of this one generation; they are not kept.",
          items: true,
          type: "array",
        },
      },
    },
  },
});

export const HintPreviewRequest = Type.Object({}, { title: "HintPreviewRequest" });
export const HintPreviewResponse = Type.Object(
  { agent_trigger: Type.String(), native: Type.String() },
  { title: "HintPreviewResponse" },
);
export type HintPreviewResponse = Static<typeof HintPreviewResponse>;

export const HOOK_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    id: "directory::pre-generate",
    description: "Internal: adds the search hint to one generation of the harness, at most once a turn and only where it can help.",
    metadata: INTERNAL,
    request: HookRequest,
    accepts: AcceptedHookRequest,
    response: HookResponse,
    route: ["search", "preGenerate"],
  },
  {
    id: "directory::hint-preview",
    description: "Internal: the text of the search hint for each way of showing functions, for a settings page.",
    metadata: INTERNAL,
    request: HintPreviewRequest,
    response: HintPreviewResponse,
    route: ["search", "hintPreview"],
  },
];
