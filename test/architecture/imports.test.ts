/** The rooms and who may import whom (docs/architecture.md). Reads import lines: the compiler has no API to ask. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ROOT } from "../harness/shared.js";

const ROOMS = ["protocol", "border", "domain", "supervisor", "cli", "actors"] as const;

/** For each room: prefixes of what its files may import besides packages. `own` is the folder of the actor. */
const ALLOWED: Readonly<Record<(typeof ROOMS)[number], (file: string) => readonly string[]>> = {
  protocol: () => ["protocol/"],
  border: () => ["border/", "protocol/"],
  domain: () => ["domain/", "protocol/"],
  supervisor: () => ["supervisor/", "border/", "domain/", "protocol/"],
  cli: (file) => [
    "cli/",
    "domain/",
    "protocol/",
    "border/log.ts",
    ...(["cli/serve.ts", "cli/engine.ts"].includes(file) ? ["supervisor/main.ts"] : []),
  ],
  actors: (file) => ["border/", "domain/", "protocol/", "actors/runtime.ts", "actors/configuration-history.ts", ...ownFolder(file)],
};

function ownFolder(file: string): string[] {
  const [, name] = file.split("/");
  return name === undefined || name.endsWith(".ts") ? [] : [`actors/${name}/`];
}

function sources(room: string): string[] {
  return readdirSync(join(ROOT, room), { recursive: true })
    .map((entry) => join(room, String(entry)).split(sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"));
}

function imports(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/(?:^|\n)\s*(?:import|export)[^;'"]*?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
}

for (const room of ROOMS) {
  test(`import rules: ${room}`, () => {
    const wrong: string[] = [];
    for (const file of sources(room)) {
      for (const target of imports(file)) {
        if (target === "comlink" && file !== "border/comlink.ts") wrong.push(`${file} imports comlink`);
        if (!target.startsWith(".")) continue;
        const path = relative(ROOT, normalize(join(ROOT, dirname(file), target)))
          .split(sep)
          .join("/")
          .replace(/\.js$/, ".ts");
        if (!ALLOWED[room](file).some((prefix) => path.startsWith(prefix))) wrong.push(`${file} imports ${path}`);
      }
    }
    assert.equal(wrong, []);
  });
}

/** Interfaces of actors and services: their methods are functions, everything else that is declared beside them crosses as data. */
const OF_ACTORS = /export interface \w*(?:Actor|Bus|Service|Services) \{[\s\S]*?\n\}/g;

test("field fault T7: what crosses a border is plain data: no callback is declared in a request or a reply", () => {
  for (const file of sources("protocol").filter((name) => name.startsWith("protocol/actors/"))) {
    const declared = readFileSync(join(ROOT, file), "utf8")
      .replace(OF_ACTORS, "")
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
      .replace(/export const [\s\S]*/, "");
    assert.not.match(declared, /=>|\bFunction\b|\bPromise\b|\w\(/, file);
  }
});

test.run();
