/** `directory::skills::*`: reading and authoring skills on disk. */
import { type Static, type TSchema, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

/** Optional on input, where null means the same as leaving it out. */
const optional = (type: "string" | "boolean", description: string) =>
  Type.Optional(Type.Unsafe<string | boolean | null>({ type: [type, "null"], default: null, description }));
/** Always present on output, null where the file says nothing; the published schema doesn't require it. */
const nullable = (description: string) => Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], description }));
const bytes = Type.Integer({ format: "uint", minimum: 0, description: "Size of the file, frontmatter included." });
const modifiedAt = Type.String({ description: "Last change of the file, RFC 3339; empty when it is not known." });

const ListSkillsInput = Type.Object(
  {
    search: optional(
      "string",
      "Part of the id, the title or, unless descriptions are left out, the description; case doesn't matter.",
    ),
    prefix: optional("string", 'How the id begins, exactly; for one worker: "sandbox/".'),
    type: optional("string", "Type of the skill, exactly."),
    include_description: optional("boolean", "False leaves the descriptions empty. Default: true."),
  },
  { title: "ListSkillsInput" },
);

const SkillEntry = Type.Object({
  id: Type.String(),
  title: Type.String({ description: "Title or name of the frontmatter, else the first heading, else the id." }),
  type: nullable("Kind of skill, such as index, how-to or reference."),
  function_id: nullable("The function that the skill is about: this is what is called, never the id of the skill."),
  disable_model_invocation: Type.Boolean({ description: "Not meant to be picked by a model." }),
  description: Type.String({ description: "Description of the frontmatter, else the first paragraph; empty when left out." }),
  bytes,
  modified_at: modifiedAt,
});

const ListSkillsOutput = Type.Object({ skills: Type.Array(SkillEntry) }, { title: "ListSkillsOutput" });

const SkillGetInput = Type.Object(
  {
    id: Type.String({ description: "Id of a skill as listed; `<id>.md` and `iii://<id>` are taken as well." }),
    raw: optional("boolean", "True adds the whole file as `raw`, ready to be edited and handed to update."),
  },
  { title: "SkillGetInput" },
);

const SkillGetOutput = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    type: nullable("Kind of skill."),
    function_id: nullable("The function that the skill is about."),
    disable_model_invocation: Type.Boolean(),
    path: Type.String({ description: "Where the file is; scripts and references that it names are beside it." }),
    body: Type.String({ description: "Markdown without the frontmatter." }),
    raw: nullable("The whole file, only when it was asked for."),
    modified_at: modifiedAt,
  },
  { title: "SkillGetOutput" },
);

const IndexSkillsOutput = Type.Object(
  {
    body: Type.String({ description: "One block of markdown for each worker overview, with the call that reads it." }),
    workers_count: Type.Integer({ format: "uint", minimum: 0, description: "Number of blocks." }),
  },
  { title: "IndexSkillsOutput" },
);

const content = Type.String({ description: "The whole file; frontmatter is optional, the body must not be blank." });

const SkillCreateInput = Type.Object(
  { id: Type.String({ description: "A free id: segments of a-z, 0-9, _ and - with / between them." }), content },
  { title: "SkillCreateInput" },
);
const SkillUpdateInput = Type.Object(
  { id: Type.String({ description: "Id of an existing skill." }), content },
  { title: "SkillUpdateInput" },
);
const SkillDeleteInput = Type.Object(
  { id: Type.String({ description: "Id of an existing skill." }) },
  { title: "SkillDeleteInput" },
);

const written = {
  id: Type.String({ description: "The id in its normal form." }),
  title: Type.String({ description: "Title that the list shows now." }),
  type: nullable("Kind of skill."),
  function_id: nullable("The function that the skill is about."),
  bytes,
  modified_at: modifiedAt,
};
const SkillCreateOutput = Type.Object(written, { title: "SkillCreateOutput" });
const SkillUpdateOutput = Type.Object(written, { title: "SkillUpdateOutput" });
const SkillDeleteOutput = Type.Object(
  { id: Type.String({ description: "Id of the file that was removed." }) },
  { title: "SkillDeleteOutput" },
);

export interface ListSkillsRequest {
  readonly search?: string | null;
  readonly prefix?: string | null;
  readonly type?: string | null;
  readonly include_description?: boolean | null;
}
export interface GetSkillRequest {
  readonly id: string;
  readonly raw?: boolean | null;
}
export type WriteSkillRequest = Static<typeof SkillCreateInput>;
export type DeleteSkillRequest = Static<typeof SkillDeleteInput>;
export type SkillRow = Required<Static<typeof SkillEntry>>;
export type SkillDocument = Omit<Required<Static<typeof SkillGetOutput>>, "raw"> & { readonly raw?: string };
export type SkillIndex = Static<typeof IndexSkillsOutput>;
export type WrittenSkill = Required<Static<typeof SkillCreateOutput>>;

type Route = Extract<FunctionDefinition["route"], readonly ["fs", string]>[1];

function skills(
  name: string,
  method: Route,
  description: string,
  request: TSchema,
  response: TSchema,
  label?: string,
): FunctionDefinition {
  const metadata = label === undefined ? {} : { tool: { label } };
  return { id: `directory::skills::${name}`, description, metadata, request, response, route: ["fs", method] };
}

export const SKILLS_FUNCTIONS: readonly FunctionDefinition[] = [
  skills(
    "list",
    "listSkills",
    "Lists skills, a row each: id, title, type, function_id, description, size and time. Narrow it by `search`, `prefix` and `type`; `include_description: false` makes light rows. To call what a row is about, use its `function_id`, not its `id`.",
    ListSkillsInput,
    ListSkillsOutput,
  ),
  skills(
    "get",
    "getSkill",
    "Reads one skill: its markdown with id, title, type, function_id and time. The bare name of a worker gives its overview. An id that doesn't exist is answered with the nearest ones (D110).",
    SkillGetInput,
    SkillGetOutput,
    "Get skill",
  ),
  skills(
    "index",
    "indexSkills",
    "Reads an overview of the installed workers: a block each, with title, first words and the call that reads the whole. For single skills use directory::skills::list.",
    Type.Object({}, { title: "IndexSkillsInput" }),
    IndexSkillsOutput,
  ),
  skills(
    "create",
    "createSkill",
    "Creates a skill in the skills folder from a whole markdown file. An id or a path that is taken is refused; to change a skill use directory::skills::update.",
    SkillCreateInput,
    SkillCreateOutput,
    "Create skill",
  ),
  skills(
    "update",
    "updateSkill",
    "Replaces an existing skill by a whole markdown file: take the `raw` of directory::skills::get, edit it, hand it back. Creates nothing; read-only skills are refused.",
    SkillUpdateInput,
    SkillUpdateOutput,
    "Update skill",
  ),
  skills(
    "delete",
    "deleteSkill",
    "Removes the file of one skill. Takes the same ids as directory::skills::get; read-only skills are refused.",
    SkillDeleteInput,
    SkillDeleteOutput,
    "Delete skill",
  ),
];
