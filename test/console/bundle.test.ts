/** What the build makes, held to what a console takes: spec 07 §8.2, §8.4, §11 rows 50 and 51, and the size of issue 10. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ROOT } from "../harness/shared.js";

const SCRIPT = join(ROOT, "dist", "console", "page.js");
const script = readFileSync(SCRIPT, "utf8");
const style = readFileSync(join(ROOT, "dist", "console", "styles.css"), "utf8");
const source = readFileSync(join(ROOT, "console", "styles.css"), "utf8");

const MAPPED = new Set(["react", "react-dom", "react-dom/client", "react/jsx-runtime", "@iii-dev/console-ui"]);
const SCOPE = /^\[data-iii-ui="?iii-directory"?\]/;

/** The tokens that a console declares. */
const TOKENS = new Set(
  [
    "bg sidebar panel panel-raised paper-2 surface surface-hover surface-selected surface-active ink ink-faint ink-ghost ink-disabled",
    "rule rule-2 rule-strong rule-focus edge accent accent-fg accent-hover accent-muted accent-border alert alert-muted warn warn-muted",
    "ok ok-muted",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => `--color-${name}`)
    .concat(["--font-sans", "--font-mono", "--radius-sm", "--radius-full", "--shadow-raised", "--shadow-floating", "--ease-glide"]),
);

/** Selectors of rules, those inside at-rules included. */
function selectors(css: string): string[] {
  const text = css.replace(/\/\*[\s\S]*?\*\//g, "");
  return [...text.matchAll(/(?:^|[{};])\s*([^{}@;]+)\{/g)].flatMap((match) => splitSelectors(match[1] ?? ""));
}

/** Commas inside `:is(...)` and `:not(...)` belong to their selector. */
function splitSelectors(list: string): string[] {
  let depth = 0;
  const parts = [""];
  for (const character of list) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + character);
  }
  return parts.map((part) => part.trim());
}

test("issue 10: the script is under 200 kB minified, and every file under 8 MiB", () => {
  assert.ok(script.length < 200_000, `${script.length}`);
  assert.ok(style.length < 8 * 1_024 * 1_024);
});

test("spec 07 §11 row 50: its only bare imports are mapped ones, exactly, and there is no React inside", () => {
  const imported = [...script.matchAll(/(?:from|import)\s*["']([^"']+)["']/g)].map((match) => match[1] ?? "");
  assert.ok(imported.includes("react"));
  assert.equal(
    imported.filter((specifier) => !MAPPED.has(specifier)),
    [],
  );
  assert.not.match(script, /__SECRET_INTERNALS|__CLIENT_INTERNALS|react\.transitional\.element/);
  assert.not.match(script, /\bimport\s*\(/);
  assert.match(script, /export\s*\{[^}]*\bas default\b/);
});

test("spec 07 §8.4: every selector begins with the scope; no @font-face, no @keyframes, no @import, no viewport query", () => {
  const found = selectors(style);
  assert.ok(found.length > 100);
  assert.equal(
    found.filter((selector) => !SCOPE.test(selector)),
    [],
  );
  assert.not.match(style, /@font-face|@keyframes|@import|@media/);
});

test("spec 07 §8.4: only known tokens; no colour, radius or duration of our own; no font under 11 px", () => {
  const used = new Set([...style.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1] ?? ""));
  assert.equal(
    [...used].filter((token) => !TOKENS.has(token)),
    [],
  );
  assert.not.match(source, /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab)\(/i);
  assert.not.match(source, /\b\d+m?s\b/);
  for (const [, size] of source.matchAll(/font-size:\s*(\d+)px/g)) assert.ok(Number(size) >= 11, `${size} px`);
  for (const [, radius] of source.matchAll(/border-radius:\s*([^;]+);/g)) assert.match(radius ?? "", /^var\(--radius-/);
});

test("spec 07 §8.4: no dialogs of the browser's own making, no markup from text", () => {
  assert.not.match(script, /\b(?:alert|confirm|prompt)\s*\(|window\.(?:alert|confirm|prompt)/);
  assert.not.match(script, /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/);
});

/** A console as old as they come: pages, renderers and forms, and nothing else. */
test("spec 07 §11 row 50: setup works with the oldest members only, and takes everything back", async () => {
  const stubs: Readonly<Record<string, string>> = {
    react:
      "export const memo = (x) => x; export class Component {} export const Fragment = {}; const f = () => {}; export { f as useEffect, f as useState, f as useRef, f as useMemo, f as useCallback, f as useId, f as useLayoutEffect, f as useSyncExternalStore };",
    "react/jsx-runtime": "export const jsx = () => null, jsxs = () => null, Fragment = {};",
  };
  const url = (text: string): string => `data:text/javascript;base64,${Buffer.from(text).toString("base64")}`;
  const bound = script.replace(
    /(from\s*)"([^"]+)"/g,
    (_, from: string, specifier: string) => `${from}"${url(stubs[specifier] ?? "")}"`,
  );
  const { default: setup } = (await import(url(bound))) as { default: (host: unknown) => () => void };
  const live: string[] = [];
  const add = (name: string) => (): (() => void) => {
    live.push(name);
    return () => live.splice(live.indexOf(name), 1);
  };
  const registry = { register: (entry: { id?: string } | string) => add(typeof entry === "string" ? entry : (entry.id ?? ""))() };
  const teardown = setup({ iii: { browserId: "b" }, pages: registry, functionTriggers: registry, configForms: registry });
  assert.equal([...live], ["directory", "iii-directory/page.js#search", "iii-directory/page.js#directory", "iii-directory"]);
  teardown();
  assert.equal(live, []);
});

test.run();
