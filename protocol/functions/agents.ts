/** `directory::agents::*`: profiles, which say who an agent is and what is put before it at the start of a session. */
import { type Static, type TSchema, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const nullable = (description: string) => Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], description }));
const count = (description: string) => Type.Integer({ format: "uint", minimum: 0, description });
const ids = (description: string) => Type.Array(Type.String(), { description });

const id = Type.String({ description: "Id of a profile as listed." });
const name = Type.String({ description: "For display." });
const description = Type.String();
const logo = nullable("Emoji, null for none.");
const builtin = Type.Boolean({
  description: "Comes with the worker and has no file yet: a change makes one, and there is nothing to delete.",
});
const modifiedAt = Type.String({ description: "Last change of the file, RFC 3339; empty when no file is behind it." });
const content = Type.String({
  description:
    "The whole file: frontmatter with a non-empty `name`, then the profile's own part of the system prompt, which may be empty.",
});
const identity = {
  icon: nullable("Token of a small closed set; null: whoever shows it chooses."),
  color: nullable("Token of a small closed set; null: neutral."),
  extends: nullable("Id of the parent as declared, null for none."),
};
const inherited = {
  model: nullable("Model id as declared here or by the nearest ancestor, passed on as it is; null: the send decides."),
  reasoning_effort: nullable(
    "Effort as declared here or by the nearest ancestor, passed on as it is; null: the default of the model.",
  ),
};
const inheritanceError = nullable(
  "Present when `extends` can't be followed to its end, a parent missing, a loop or too many levels: only the profile's own values are given then.",
);

const AgentEntry = Type.Object({
  id: Type.String({ description: "The stem of the file." }),
  name,
  description,
  logo,
  skill_count: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      format: "uint",
      minimum: 0,
      description: "Skills that are put before a session, those of the ancestors included; null for none.",
    }),
  ),
  function_count: count("Functions whose contracts are put before a session, those of the ancestors included."),
  ...inherited,
  ...identity,
  builtin,
  inheritance_error: inheritanceError,
  modified_at: modifiedAt,
});

const AgentGetInput = Type.Object(
  {
    id,
    raw: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ["boolean", "null"],
        default: null,
        description: "True adds the profile's own whole file as `raw`, ready to be edited and handed to update.",
      }),
    ),
  },
  { title: "AgentGetInput" },
);

const AgentGetOutput = Type.Object(
  {
    id: Type.String(),
    name,
    description,
    logo,
    system_prompt: Type.String({
      description:
        "Texts of all ancestors, the oldest first, then the profile's own, a blank line between two; blank ones are left out.",
    }),
    skills: ids("Skills whose texts are put before a session, those of the ancestors first."),
    unknown_skills: ids("Those of `skills` that are not visible now. The profile can be used all the same."),
    functions: ids("Functions whose contracts are put before a session, those of the ancestors first."),
    unknown_functions: ids("Those of `functions` that the engine doesn't know now; empty too when it can't be asked."),
    ...inherited,
    ...identity,
    builtin,
    inheritance_error: inheritanceError,
    raw: nullable("The profile's own whole file, only when it was asked for."),
    modified_at: modifiedAt,
  },
  { title: "AgentGetOutput" },
);

const AgentCreateInput = Type.Object(
  { id: Type.String({ description: "A free id of a-z, 0-9, _ and -; it becomes the stem of the file." }), content },
  { title: "AgentCreateInput" },
);
const AgentWriteOutput = Type.Object(
  { id: Type.String(), name, description, logo, bytes: count("Size of the file."), modified_at: modifiedAt },
  { title: "AgentWriteOutput" },
);
const AgentFunctionsInput = Type.Object(
  { id, functions: ids("Ids of functions of the engine, such as `coder::tree`, one an entry.") },
  { title: "AgentFunctionsInput" },
);
const AgentFunctionsOutput = Type.Object(
  {
    id: Type.String(),
    functions: ids("The profile's own list as it is now, nothing inherited."),
    added: ids("What this call has added."),
    removed: ids("What this call has removed."),
    unchanged: Type.Boolean({ description: "Nothing had to change, and nothing was written." }),
    bytes: count("Size of the file."),
    modified_at: modifiedAt,
  },
  { title: "AgentFunctionsOutput" },
);

/** Fields that a schema doesn't require are there all the same, as null; only `raw` and `inheritance_error` can be absent. */
type Given<Shape> = Omit<Required<Shape>, "raw" | "inheritance_error"> & { readonly inheritance_error?: string };

export interface GetAgentRequest {
  readonly id: string;
  readonly raw?: boolean | null;
}
export type WriteAgentRequest = Static<typeof AgentCreateInput>;
export interface AgentFunctionsRequest {
  readonly id: string;
  readonly functions: readonly string[];
}
export type AgentRow = Given<Static<typeof AgentEntry>>;
export type AgentDocument = Given<Static<typeof AgentGetOutput>> & { readonly raw?: string };
export type WrittenAgent = Required<Static<typeof AgentWriteOutput>>;
export interface EditedFunctions {
  readonly id: string;
  readonly functions: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: boolean;
  readonly bytes: number;
  readonly modified_at: string;
}

type Method = Extract<FunctionDefinition["route"], readonly ["fs", string]>[1];

function agents(
  verb: string,
  method: Method,
  text: string,
  request: TSchema,
  response: TSchema,
  label?: string,
): FunctionDefinition {
  const metadata = label === undefined ? {} : { tool: { label } };
  return { id: `directory::agents::${verb}`, description: text, metadata, request, response, route: ["fs", method] };
}

export const AGENTS_FUNCTIONS: readonly FunctionDefinition[] = [
  agents(
    "list",
    "listAgents",
    "Lists the agent profiles: those of the agents folder and, until a file of the same id is there, those that come with the worker (`builtin: true`). Counts, model and effort include what is inherited through `extends`.",
    Type.Object({}, { title: "ListAgentsInput" }),
    Type.Object({ agents: Type.Array(AgentEntry) }, { title: "ListAgentsOutput" }),
  ),
  agents(
    "get",
    "getAgent",
    "Reads one agent profile with all that it inherits through `extends`: system prompt, skills, functions, model and effort. Entries that can't be found now are named in `unknown_skills` and `unknown_functions`. An id that doesn't exist is answered with the nearest ones (D410).",
    AgentGetInput,
    AgentGetOutput,
  ),
  agents(
    "create",
    "createAgent",
    "Creates an agent profile in the agents folder from a whole markdown file with a `name`. An id or a path that is taken is refused; one that comes with the worker is shadowed.",
    AgentCreateInput,
    AgentWriteOutput,
    "Create agent profile",
  ),
  agents(
    "update",
    "updateAgent",
    "Replaces an existing agent profile by a whole markdown file: take the `raw` of directory::agents::get, edit it, hand it back. One that comes with the worker gets a file of its own. For the list of functions alone use directory::agents::functions::add and ::remove.",
    Type.Object({ id, content }, { title: "AgentUpdateInput" }),
    AgentWriteOutput,
    "Update agent profile",
  ),
  agents(
    "delete",
    "deleteAgent",
    "Removes the file of one agent profile. Where it stood in front of one that comes with the worker, that one is served again; profiles that extend a removed one keep only their own values.",
    Type.Object({ id }, { title: "AgentDeleteInput" }),
    Type.Object({ id: Type.String() }, { title: "AgentDeleteOutput" }),
    "Delete agent profile",
  ),
  agents(
    "functions::add",
    "addAgentFunctions",
    "Adds ids to a profile's own list of functions, whose contracts are put before its sessions. Ids that are there already stay once, and the rest of the file keeps its bytes. One that comes with the worker gets a file of its own.",
    AgentFunctionsInput,
    AgentFunctionsOutput,
    "Add agent profile functions",
  ),
  agents(
    "functions::remove",
    "removeAgentFunctions",
    "Takes ids out of a profile's own list of functions; ids that are not there are passed over, and the rest of the file keeps its bytes. Inherited ids stay: they are taken out where they are declared.",
    AgentFunctionsInput,
    AgentFunctionsOutput,
    "Remove agent profile functions",
  ),
];
