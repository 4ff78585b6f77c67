/** `directory::system-prompts::*`: whole identities that an agent can be given. */
import { type Static, type TSchema, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const modifiedAt = Type.String({ description: "Last change of the file, RFC 3339; empty when no file is behind it." });
const builtin = Type.Boolean({
  description: "Comes with the worker and has no file yet: an update makes one, and there is nothing to delete.",
});
const bytes = Type.Integer({ format: "uint", minimum: 0, description: "Size of the file, frontmatter included." });
const content = Type.String({ description: "The whole file: frontmatter with a non-empty `description`, then the prompt." });
const existingName = Type.String({ description: "Name of a system prompt as listed." });

const SystemPromptEntry = Type.Object({
  name: Type.String(),
  description: Type.String(),
  modified_at: modifiedAt,
  builtin,
});

const SystemPromptGetInput = Type.Object(
  {
    name: existingName,
    raw: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ["boolean", "null"],
        default: null,
        description: "True adds the whole file as `raw`, ready to be edited and handed to update.",
      }),
    ),
  },
  { title: "SystemPromptGetInput" },
);

const SystemPromptGetOutput = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    body: Type.String({ description: "The prompt as it is, without the frontmatter and without any templating." }),
    modified_at: modifiedAt,
    builtin,
    raw: Type.Optional(
      Type.Unsafe<string | null>({ type: ["string", "null"], description: "The whole file, only when it was asked for." }),
    ),
  },
  { title: "SystemPromptGetOutput" },
);

const SystemPromptCreateInput = Type.Object(
  { name: Type.String({ description: "A free name of a-z, 0-9, _ and -; the frontmatter may repeat it." }), content },
  { title: "SystemPromptCreateInput" },
);
const written = (name: string) => ({
  name: Type.String({ description: name }),
  description: Type.String({ description: "Description that the list shows now." }),
  bytes,
  modified_at: modifiedAt,
});

export interface GetSystemPromptRequest {
  readonly name: string;
  readonly raw?: boolean | null;
}
export type WriteSystemPromptRequest = Static<typeof SystemPromptCreateInput>;
export type SystemPromptRow = Static<typeof SystemPromptEntry>;
export type SystemPromptDocument = Omit<Static<typeof SystemPromptGetOutput>, "raw"> & { readonly raw?: string };
export interface WrittenSystemPrompt {
  readonly name: string;
  readonly description: string;
  readonly bytes: number;
  readonly modified_at: string;
}

type Method = Extract<FunctionDefinition["route"], readonly ["fs", string]>[1];

function systemPrompts(
  name: string,
  method: Method,
  description: string,
  request: TSchema,
  response: TSchema,
  label?: string,
): FunctionDefinition {
  const metadata = label === undefined ? {} : { tool: { label } };
  return { id: `directory::system-prompts::${name}`, description, metadata, request, response, route: ["fs", method] };
}

export const SYSTEM_PROMPTS_FUNCTIONS: readonly FunctionDefinition[] = [
  systemPrompts(
    "list",
    "listSystemPrompts",
    "Lists the system prompts: those of the skills folders and, until a file of the same name is there, those that come with the worker (`builtin: true`).",
    Type.Object({}, { title: "ListSystemPromptsInput" }),
    Type.Object({ prompts: Type.Array(SystemPromptEntry) }, { title: "ListSystemPromptsOutput" }),
  ),
  systemPrompts(
    "get",
    "getSystemPrompt",
    "Reads one system prompt: its text as it is, with name, description and time. A name that doesn't exist is answered with the nearest ones (D210).",
    SystemPromptGetInput,
    SystemPromptGetOutput,
  ),
  systemPrompts(
    "create",
    "createSystemPrompt",
    "Creates a system prompt in the skills folder from a whole markdown file with a `description`. A name or a path that is taken is refused; to change a prompt use directory::system-prompts::update.",
    SystemPromptCreateInput,
    Type.Object(written("The name as requested."), { title: "SystemPromptCreateOutput" }),
    "Create system prompt",
  ),
  systemPrompts(
    "update",
    "updateSystemPrompt",
    "Replaces an existing system prompt by a whole markdown file: take the `raw` of directory::system-prompts::get, edit it, hand it back. One that comes with the worker gets a file of its own. A new `name` in the frontmatter renames it; the answer carries the name that counts.",
    Type.Object({ name: existingName, content }, { title: "SystemPromptUpdateInput" }),
    Type.Object(written("The name under which it is served now: the declared one, else the file's."), {
      title: "SystemPromptUpdateOutput",
    }),
    "Update system prompt",
  ),
  systemPrompts(
    "delete",
    "deleteSystemPrompt",
    "Removes the file of one system prompt. Where it stood in front of one that comes with the worker, that one is served again.",
    Type.Object({ name: existingName }, { title: "SystemPromptDeleteInput" }),
    Type.Object(
      { name: Type.String({ description: "Name of the prompt whose file was removed." }) },
      { title: "SystemPromptDeleteOutput" },
    ),
    "Delete system prompt",
  ),
];
