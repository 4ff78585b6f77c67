/**
 * Processes with one network each. Not threads: when a thread ends while the native runtime computes in it, the runtime throws where nobody can
 * catch, and the whole process is aborted with every actor in it. A process of its own can be ended at any moment, and what it
 * may do to memory is its own affair.
 *
 * A process lives as long as its channel: when the actor's thread is gone, however it went, the process ends by itself.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { ModelReply, ModelTask } from "./processes/messages.js";

export interface ModelProcessesOptions {
  /** Compiled entry of a process. */
  readonly file: string;
  readonly count: number;
  /** Told of the death of a process that had nothing to do; one that was computing rejects its task. */
  readonly onIdleDeath: () => void;
}

export class ModelProcesses {
  readonly #options: ModelProcessesOptions;
  readonly #idle: ModelProcess[] = [];
  readonly #all = new Set<ModelProcess>();

  constructor(options: ModelProcessesOptions) {
    this.#options = options;
  }

  /** For at most `count` tasks at a time. Rejects when the process dies of it, or takes longer than `limitMs` and is ended. */
  async run(task: ModelTask, limitMs: number): Promise<ModelReply> {
    const process = this.#idle.pop() ?? this.#start();
    const reply = await process.run(task, limitMs);
    this.#idle.push(process);
    return reply;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((process) => process.end()));
  }

  #start(): ModelProcess {
    if (this.#all.size >= this.#options.count) throw new Error("more tasks at a time than processes");
    const process = new ModelProcess(this.#options.file);
    this.#all.add(process);
    void process.ended.then(() => {
      this.#all.delete(process);
      const at = this.#idle.indexOf(process);
      if (at < 0) return;
      this.#idle.splice(at, 1);
      this.#options.onIdleDeath();
    });
    return process;
  }
}

/** Makes glibc give back what the loading of a network needed: some 100 MiB of 270. */
const FRUGAL = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" } as const;

interface Task {
  readonly resolve: (reply: ModelReply) => void;
  readonly reject: (error: Error) => void;
}

class ModelProcess {
  /** Why it ended. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #task: Task | undefined;

  constructor(file: string) {
    // Started from a compiled file, with none of the options of this process: a debugger's port can be taken once only.
    this.#child = fork(file, {
      serialization: "advanced",
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, ...FRUGAL },
    });
    this.#child.on("message", (reply) => this.#task?.resolve(reply as ModelReply));
    this.ended = new Promise((resolve) => {
      this.#child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
      this.#child.on("error", (error) => resolve(error.message));
    });
    void this.ended.then((cause) => this.#task?.reject(new Error(cause)));
    this.#wait();
  }

  /** One at a time. */
  async run(task: ModelTask, limitMs: number): Promise<ModelReply> {
    this.#child.ref();
    this.#child.channel?.ref();
    const limit = setTimeout(() => this.#child.kill("SIGKILL"), limitMs);
    try {
      return await new Promise<ModelReply>((resolve, reject) => {
        this.#task = { resolve, reject };
        this.#child.send(task, (error) => error !== null && reject(error));
      });
    } finally {
      clearTimeout(limit);
      this.#task = undefined;
      this.#wait();
    }
  }

  async end(): Promise<void> {
    this.#child.ref();
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  /** One that has nothing to do keeps nobody from ending. */
  #wait(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}
