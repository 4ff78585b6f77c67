/** `directory::skills::download*`: skills from the workers registry or from a git repository. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

const optional = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], default: null, description }));

const branch = optional("Branch or tag of the repository; `main` when absent.");
const version = optional("Exact version; not together with `tag`.");
const tag = optional("Such as `latest`, which it is by default.");

const DownloadInput = Type.Object(
  {
    repo: optional("Address of a git repository: https://, ssh:// or git@host:path."),
    skill: optional("Folder below `skills/` of the repository; names the namespace too."),
    branch,
    worker: optional("Name of a worker of the registry; names the namespace too."),
    version,
    tag,
  },
  { title: "DownloadInput" },
);
const RegistryDownloadInput = Type.Object(
  { worker: Type.String({ description: "Name of a worker of the registry." }), version, tag },
  { title: "RegistryDownloadInput" },
);
const RepoDownloadInput = Type.Object(
  {
    repo: Type.String({ description: "Address of a git repository: https://, ssh:// or git@host:path." }),
    skill: Type.String({ description: "Folder below `skills/` of the repository." }),
    branch,
  },
  { title: "RepoDownloadInput" },
);
const DownloadOutput = Type.Object(
  {
    namespace: Type.String(),
    skills_written: Type.Array(Type.String(), { description: "Paths below the namespace." }),
    system_prompts_written: Type.Array(Type.String(), { description: "Names." }),
    agents_written: Type.Array(Type.String(), { description: "Ids of agent profiles." }),
    source: Type.Unknown({
      description: "What was asked for: kind, and worker with version or tag, or repo with skill and branch.",
    }),
  },
  { title: "DownloadOutput" },
);
const WorkerAddedEvent = Type.Object({ worker: optional("Name of the worker that was added.") }, { title: "WorkerAddedEvent" });
const WorkerAddedAck = Type.Object({ ok: Type.Boolean() }, { title: "WorkerAddedAck" });

export type DownloadRequest = Static<typeof DownloadInput>;
export type DownloadResponse = Static<typeof DownloadOutput>;

/** A clone and an HTTP request have the configured limit; this is only the end of patience behind it. */
const PATIENCE_MS = 900_000;

export const DOWNLOAD_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    id: "directory::skills::download",
    description: "Downloads skills: of a worker from the registry (`worker`), or a folder of a git repository (`repo`, `skill`).",
    metadata: { tool: { label: "Download skills" } },
    request: DownloadInput,
    response: DownloadOutput,
    route: ["registry", "download"],
    timeoutMs: PATIENCE_MS,
  },
  {
    id: "directory::skills::download_from_registry",
    description: "Downloads the skills of a worker from the workers registry.",
    metadata: { tool: { label: "Download skills (registry)" } },
    request: RegistryDownloadInput,
    response: DownloadOutput,
    route: ["registry", "download"],
    timeoutMs: PATIENCE_MS,
  },
  {
    id: "directory::skills::download_from_repo",
    description: "Downloads one skill folder from a git repository.",
    metadata: { tool: { label: "Download skills (repo)" } },
    request: RepoDownloadInput,
    response: DownloadOutput,
    route: ["registry", "download"],
    timeoutMs: PATIENCE_MS,
  },
  {
    id: "directory::__on_worker_added",
    description: "Called by the engine when a worker was added: fetches its skills.",
    metadata: { internal: true },
    request: WorkerAddedEvent,
    response: WorkerAddedAck,
    route: ["registry", "workerAdded"],
    enabledBy: "auto_download",
    timeoutMs: PATIENCE_MS,
  },
];
