/**
 * A shallow clone by the git program of this machine, which may do nothing but copy: no prompt, no hook, no template, no submodule, no
 * large-file download, no transport but https and ssh. Its whole process group is gone when this settles.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { DirectoryError } from "../../protocol/errors.js";
import { maskUserInfo } from "./download-request.js";

export interface CloneOptions {
  readonly repo: string;
  readonly branch: string;
  readonly folder: string;
  readonly timeoutMs: number;
  /** Ends the clone at once. */
  readonly signal: AbortSignal;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
}

/** Time between asking git to end and ending it. */
const GRACE_MS = 2_000;
const MOST_STDERR = 64 * 1024;

const FLAGS = [
  "-c protocol.ext.allow=never",
  "-c core.hooksPath=/dev/null",
  "-c core.fsmonitor=false",
  "-c core.symlinks=true",
  "-c advice.detachedHead=false",
  "-c filter.lfs.smudge=",
  "-c filter.lfs.process=",
  "-c filter.lfs.required=false",
].flatMap((flag) => flag.split(" "));

export async function cloneRepository(options: CloneOptions): Promise<void> {
  const { repo, branch, folder, timeoutMs, signal, env = process.env } = options;
  signal.throwIfAborted();
  const args = [...FLAGS, "clone", "--depth", "1", "--single-branch", "--no-tags", "--no-recurse-submodules", "--template="];
  const child = spawn("git", [...args, "--branch", branch, "--quiet", "--", repo, folder], {
    env: gitEnvironment(env),
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    cwd: "/",
  });
  const stderr = collect(child);
  const ended = new Promise<{ code: number | null; error?: NodeJS.ErrnoException }>((resolve) => {
    child.once("error", (error) => resolve({ code: null, error }));
    child.once("close", (code) => resolve({ code }));
  });
  let stopped: "timed out" | "shutdown" | undefined;
  const stop = (why: typeof stopped): void => {
    stopped ??= why;
    killGroup(child, "SIGTERM");
    setTimeout(() => killGroup(child, "SIGKILL"), GRACE_MS).unref();
  };
  const limit = setTimeout(() => stop("timed out"), timeoutMs);
  const abort = (): void => stop("shutdown");
  signal.addEventListener("abort", abort, { once: true });
  const { code, error } = await ended;
  clearTimeout(limit);
  signal.removeEventListener("abort", abort);
  // What git has started itself may outlive it.
  killGroup(child, "SIGKILL");
  if (stopped === "shutdown") throw new DirectoryError("shutting_down", "the download was given up because the worker is ending");
  if (stopped === "timed out") throw new DirectoryError("invalid_request", `the clone has timed out after ${timeoutMs} ms`);
  if (error !== undefined)
    throw new DirectoryError("invalid_request", `git could not be started (${error.code}): install git, or use the registry`);
  if (code !== 0) {
    const said = maskUserInfo(stderr().trim()).replaceAll(folder, "the clone");
    throw new DirectoryError(
      "invalid_request",
      `git could not clone branch ${JSON.stringify(branch)} (exit status ${code}): ${said}`,
    );
  }
}

/** The user's own configuration stays in force: private repositories need its credentials. */
function gitEnvironment(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const { GIT_DIR: _d, GIT_WORK_TREE: _w, GIT_INDEX_FILE: _i, GIT_OBJECT_DIRECTORY: _o, ...rest } = env;
  const hasSsh = rest["GIT_SSH_COMMAND"] !== undefined || rest["GIT_SSH"] !== undefined;
  return {
    ...rest,
    GIT_TERMINAL_PROMPT: "0",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    LC_ALL: "C",
    ...(hasSsh ? {} : { GIT_SSH_COMMAND: "ssh -oBatchMode=yes" }),
  };
}

function collect(child: ChildProcess): () => string {
  const parts: Buffer[] = [];
  let bytes = 0;
  child.stderr?.on("data", (part: Buffer) => {
    if (bytes < MOST_STDERR) parts.push(part.subarray(0, MOST_STDERR - bytes));
    bytes += part.length;
  });
  return () => Buffer.concat(parts).toString("utf8");
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
