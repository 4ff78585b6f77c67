/** `directory::registry::*` and the engine proxy: what could be installed, and how a function is called. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const nullable = (description: string) => Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], description }));
const nullByDefault = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], default: null, description }));

const WorkerAuthor = Type.Object({
  name: nullable("Account that published the worker."),
  pfp: nullByDefault("Address of a picture."),
  verified: Type.Optional(Type.Boolean({ default: false })),
});

const Dependency = Type.Object({ name: Type.String(), version: Type.String() });

const Worker = Type.Object({
  name: Type.String(),
  description: nullByDefault("What the worker is for."),
  type: nullByDefault("How it runs: a binary, an image, a part of the engine."),
  version: nullByDefault("Published version."),
  repo: nullByDefault("Where its source is."),
  config: Type.Optional(Type.Unknown({ default: {} })),
  supported_targets: Type.Optional(Type.Array(Type.String(), { default: [] })),
  image: nullable("Container image; absent where there is none."),
  total_downloads: Type.Optional(Type.Integer({ minimum: 0, default: 0, format: "uint64" })),
  dependencies: Type.Optional(Type.Array(Dependency, { default: [] })),
  author: Type.Optional(
    Type.Unsafe<Static<typeof WorkerAuthor> | null>(Type.Union([WorkerAuthor, Type.Null()], { default: null })),
  ),
});

const Pagination = Type.Object({
  next_cursor: nullByDefault("For the next page; null on the last one."),
  has_more: Type.Optional(Type.Boolean({ default: false })),
  page_size: Type.Optional(Type.Integer({ minimum: 0, default: 0, format: "uint32" })),
});

const WorkerListInput = Type.Object(
  {
    search: nullByDefault("Words that name or description should have; none: the most downloaded first."),
    cursor: nullByDefault("`next_cursor` of the page before."),
  },
  { title: "WorkerListInput" },
);
const WorkerListOutput = Type.Object({ workers: Type.Array(Worker), pagination: Pagination }, { title: "WorkerListOutput" });

const ApiFunction = Type.Object({
  name: Type.String(),
  description: nullable("First of all what it does."),
  request_schema: Type.Optional(Type.Unknown()),
  response_schema: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
});
const ApiTrigger = Type.Object({
  name: Type.String(),
  description: nullable("When it fires."),
  invocation_schema: Type.Optional(Type.Unknown()),
  return_schema: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
});
const WorkerInfoInput = Type.Object(
  {
    name: Type.String({ description: "Name of a worker as listed by `directory::registry::workers::list`." }),
    version: nullByDefault("Exact version; not together with `tag`."),
    tag: nullByDefault("Such as `latest`, which it is by default."),
    readme: Type.Optional(Type.Boolean({ default: false, description: "Adds the README of the worker." })),
  },
  { title: "WorkerInfoInput" },
);
const WorkerInfoOutput = Type.Object(
  {
    worker: Worker,
    api_reference: Type.Object({
      functions: Type.Optional(Type.Array(ApiFunction, { default: [] })),
      triggers: Type.Optional(Type.Array(ApiTrigger, { default: [] })),
    }),
    skills_tree: Type.Object({ skills: Type.Optional(Type.Array(Type.Object({ path: Type.String() }), { default: [] })) }),
    readme: nullable("Only when it was asked for and there is one."),
  },
  { title: "WorkerInfoOutput" },
);

const FunctionInfoInput = Type.Object(
  { function_id: Type.String({ description: "Id of a function that the engine has." }) },
  { title: "FunctionInfoInput" },
);
const FunctionInfoOutput = Type.Object(
  {
    function_id: Type.String(),
    worker_name: nullable("Who offers it."),
    description: nullable("All sentences."),
    request_schema: Type.Optional(Type.Unknown()),
    response_schema: Type.Optional(Type.Unknown()),
    metadata: Type.Optional(Type.Unknown()),
    registered_triggers: Type.Array(Type.Object({ id: Type.String(), trigger_type: Type.String(), config: Type.Unknown() })),
  },
  { title: "FunctionInfoOutput" },
);

export type RegistryWorker = Static<typeof Worker>;
export type RegistryPagination = Static<typeof Pagination>;
export type ListWorkersRequest = Static<typeof WorkerListInput>;
export type ListWorkersResponse = Static<typeof WorkerListOutput>;
export type WorkerInfoRequest = Static<typeof WorkerInfoInput>;
export type WorkerInfoResponse = Static<typeof WorkerInfoOutput>;
export type FunctionInfoRequest = Static<typeof FunctionInfoInput>;
export type FunctionInfoResponse = Static<typeof FunctionInfoOutput>;

export const REGISTRY_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    id: "directory::registry::workers::list",
    description: "Lists workers of the registry that could be installed, a page at a time, by words or by downloads.",
    metadata: {},
    request: WorkerListInput,
    response: WorkerListOutput,
    route: ["registry", "listWorkers"],
  },
  {
    id: "directory::registry::workers::info",
    description: "Shows the card of one worker of the registry: its functions, triggers and skills, before it is installed.",
    metadata: {},
    request: WorkerInfoInput,
    response: WorkerInfoOutput,
    route: ["registry", "workerInfo"],
  },
  {
    id: "directory::engine::functions::info",
    description: "Shows the whole contract of one function that the engine has: schemas, owner and bindings.",
    metadata: {},
    request: FunctionInfoInput,
    response: FunctionInfoOutput,
    route: ["registry", "functionInfo"],
  },
];
