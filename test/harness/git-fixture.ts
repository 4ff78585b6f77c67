/** Git repositories for tests: below a folder, reached by https addresses that git rewrites to that folder or to a server of this machine. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./temporary.js";

export interface GitFixture {
  /** As a caller would give it. */
  readonly url: (repository: string) => string;
  /** Commits these files; a repository that isn't there is made. Returns its folder. */
  readonly commit: (repository: string, files: Readonly<Record<string, string>>, branch?: string) => string;
  readonly git: (folder: string, ...args: string[]) => string;
  /** Lines of the user's own configuration of git. */
  readonly configure: (lines: string) => void;
}

const HOST = "https://fixture.test/";

/** Changes the environment of this process: from here on its git knows nothing of the user's configuration. */
export function gitFixture(): GitFixture {
  const folder = temporaryFolder();
  const configuration = join(folder, "gitconfig");
  const base = `[user]\n name = Fixture\n email = fixture@example.test\n[init]\n defaultBranch = main\n[url "file://${folder}/"]\n insteadOf = ${HOST}\n[protocol "file"]\n allow = always\n`;
  process.env["GIT_CONFIG_GLOBAL"] = configuration;
  process.env["GIT_CONFIG_NOSYSTEM"] = "1";
  writeFileSync(configuration, base);
  const git = (where: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", args, { cwd: where, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const commit = (repository: string, files: Readonly<Record<string, string>>, branch = "main"): string => {
    const where = join(folder, repository);
    mkdirSync(where, { recursive: true });
    git(where, "init", "--quiet");
    git(where, "checkout", "--quiet", "-B", branch);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(where, path)), { recursive: true });
      writeFileSync(join(where, path), content);
    }
    git(where, "add", "--all", "--force");
    git(where, "commit", "--quiet", "--allow-empty", "-m", "content");
    return where;
  };
  return {
    url: (repository) => `${HOST}${repository}`,
    commit,
    git,
    configure: (lines) => writeFileSync(configuration, `${base}${lines}\n`),
  };
}

/** The smart HTTP protocol over a folder, by git's own program for it. `token`: asks for a name and password first. */
export async function gitHttpServer(folder: string, { token }: { token?: string } = {}): Promise<{ url: string; server: Server }> {
  const backend = join(spawnSync("git", ["--exec-path"], { encoding: "utf8" }).stdout.trim(), "git-http-backend");
  const server = createServer((request, response) => {
    if (token !== undefined && request.headers.authorization === undefined) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="fixture"' }).end();
      return;
    }
    const url = new URL(request.url ?? "/", "http://localhost");
    const env = {
      ...process.env,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    };
    const child = spawn(backend, { env, stdio: ["pipe", "pipe", "ignore"] });
    request.pipe(child.stdin);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("close", () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf("\r\n\r\n");
      const headers = all
        .subarray(0, end)
        .toString("latin1")
        .split("\r\n")
        .map((line) => line.split(": ") as [string, string]);
      const status = Number(headers.find(([name]) => name === "Status")?.[1]?.slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== "Status"))).end(all.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
