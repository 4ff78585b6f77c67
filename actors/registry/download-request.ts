/** What a download asks for, and whether that makes sense. Nothing is read or asked for here. */
import { trimWhiteSpace } from "../../domain/text.js";
import { RESERVED_NAMESPACES, workerNameFault } from "../../domain/worker-name.js";
import { DirectoryError } from "../../protocol/errors.js";
import type { DownloadRequest } from "../../protocol/functions/downloads.js";
import { readVersionSpec } from "./worker-card.js";
import type { VersionSpec } from "./workers-registry.js";

export interface RegistryDownload {
  readonly kind: "registry";
  readonly worker: string;
  readonly spec: VersionSpec;
}

export interface RepoDownload {
  readonly kind: "repo";
  readonly repo: string;
  readonly skill: string;
  readonly branch: string;
}

/** Blank fields are as good as none. Throws a readable line. */
export function readDownloadRequest(request: DownloadRequest): RegistryDownload | RepoDownload {
  const given = (value: string | null | undefined): string => trimWhiteSpace(value ?? "");
  const { repo, skill, branch, worker, version, tag } = request;
  const ofRepo = [repo, skill, branch].some((value) => given(value) !== "");
  const ofWorker = [worker, version, tag].some((value) => given(value) !== "");
  if (ofRepo && ofWorker) throw refused("specify either repo and skill, or worker, but not both");
  if (!ofRepo && !ofWorker) throw refused("specify either repo and skill (git), or worker (registry)");
  if (ofRepo) return readRepo(given(repo), given(skill), given(branch));
  const name = given(worker);
  if (name === "") throw refused("worker is required beside version or tag");
  const spec = readVersionSpec({ version: version ?? null, tag: tag ?? null });
  const fault = workerNameFault(name);
  if (fault !== undefined) throw refused(fault);
  return { kind: "registry", worker: name, spec };
}

function readRepo(repo: string, skill: string, branch: string): RepoDownload {
  if (repo === "") throw refused("repo is required beside skill or branch");
  if (skill === "") throw refused("skill is required beside repo: the name of a folder below skills/");
  const fault = skillFault(skill) ?? repositoryFault(repo) ?? branchFault(branch);
  if (fault !== undefined) throw refused(fault);
  return { kind: "repo", repo, skill, branch: branch === "" ? "main" : branch };
}

/** Of a folder of a repository that names a namespace too. */
export function skillFault(skill: string): string | undefined {
  const quoted = JSON.stringify(skill.slice(0, 100));
  if (skill === "") return "the skill must be non-empty";
  if (skill.startsWith(".") || skill.includes("..") || !/^[A-Za-z0-9._-]+$/.test(skill)) {
    return `${quoted} is no skill folder: letters, digits, -, _ and dots that neither lead nor follow each other`;
  }
  if (skill.length > 255) return `${quoted}... is too long for the name of a folder`;
  return RESERVED_NAMESPACES.has(skill) ? `${quoted} is reserved for a family of content` : undefined;
}

/** Git reads some addresses as commands or as paths of this machine; only what can be neither is let through. */
export function repositoryFault(repo: string): string | undefined {
  if (repo === "") return "the repo must be non-empty";
  if (repo.startsWith("-")) return "a repo may not begin with '-'";
  if (repo.includes("::")) return "a repo may not hold ::, which names a program of git";
  if (repo.toLowerCase().startsWith("file:")) return "a repo may not be a file: address";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x20\x7f]/.test(repo)) return "a repo may hold neither spaces nor control characters";
  if (/^git@[^-:/][^:/]*:[^:]/.test(repo)) return undefined;
  if (/^(?:https|ssh):\/\/[^/]/.test(repo) && URL.canParse(repo)) {
    const { hostname } = new URL(repo);
    if (hostname !== "" && !hostname.startsWith("-")) return undefined;
  }
  return "a repo is an address that begins with https://, ssh:// or git@host:";
}

function branchFault(branch: string): string | undefined {
  if (branch.startsWith("-")) return "a branch may not begin with '-'";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\x00-\x1f\x7f]/.test(branch) ? "a branch may not hold control characters" : undefined;
}

/** Without a password or token that it may hold. */
export function maskUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1***@");
}

function refused(reason: string): DirectoryError {
  return new DirectoryError("invalid_request", reason);
}
