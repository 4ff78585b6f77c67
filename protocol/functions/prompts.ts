/** `directory::prompts::*`: command prompts, which a person calls by name, such as `/send-email`. Only read here. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const modifiedAt = Type.String({ description: "Last change of the file, RFC 3339." });

const PromptEntry = Type.Object({ name: Type.String(), description: Type.String(), modified_at: modifiedAt });
const PromptGetInput = Type.Object(
  { name: Type.String({ description: "Name of a command prompt as listed." }) },
  { title: "PromptGetInput" },
);
const PromptGetOutput = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    body: Type.String({ description: "The prompt as it is, without the frontmatter and without any templating." }),
    modified_at: modifiedAt,
  },
  { title: "PromptGetOutput" },
);

export type GetPromptRequest = Static<typeof PromptGetInput>;
export type PromptRow = Static<typeof PromptEntry>;
export type PromptDocument = Static<typeof PromptGetOutput>;

export const PROMPTS_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    id: "directory::prompts::list",
    description: "Lists the command prompts of the skills folders: name, description and time.",
    metadata: {},
    request: Type.Object({}, { title: "ListPromptsInput" }),
    response: Type.Object({ prompts: Type.Array(PromptEntry) }, { title: "ListPromptsOutput" }),
    route: ["fs", "listPrompts"],
  },
  {
    id: "directory::prompts::get",
    description: "Reads one command prompt by its name. A name that doesn't exist is answered with the nearest ones (D210).",
    metadata: {},
    request: PromptGetInput,
    response: PromptGetOutput,
    route: ["fs", "getPrompt"],
  },
];
