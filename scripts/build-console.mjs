/**
 * Builds the console UI: the script and the styles that a console injects, and the small console that the embedded engine serves. A
 * console gives React to the script, so it isn't in there; our own console gives what it has bundled, as any other would.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Bare specifiers that a console maps, exactly: a path below one of them has no address there. */
/** Old enough that nested rules are written out: a console checks that each selector begins with the scope. */
const FLAT = ["chrome108", "firefox110", "safari16"];

export const MAPPED = ["react", "react-dom", "react-dom/client", "react/jsx-runtime", "@iii-dev/console-ui"];

/** What React calls itself in `window.__III_CONSOLE__`. */
const GIVEN = { react: "React", "react-dom": "ReactDOM", "react-dom/client": "ReactDOMClient", "react/jsx-runtime": "JsxRuntime" };

export async function buildConsole(root) {
  const { build } = await import("esbuild");
  const source = join(root, "console");
  const out = join(root, "dist", "console");
  const preview = join(out, "preview");
  const common = {
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    define: { "process.env.NODE_ENV": '"production"' },
  };
  await build({ ...common, entryPoints: [join(source, "page.tsx")], outfile: join(out, "page.js"), plugins: [exactExternals()] });
  await build({ ...common, entryPoints: [join(source, "styles.css")], outfile: join(out, "styles.css"), target: FLAT });
  await build({
    ...common,
    entryPoints: [join(source, "preview", "main.tsx")],
    outfile: join(preview, "preview.js"),
    legalComments: "eof",
  });
  await build({ ...common, entryPoints: [join(source, "preview", "preview.css")], outfile: join(preview, "preview.css") });
  writeShims(root, join(preview, "vendor"));
  writeIndex(source, preview);
}

/** esbuild's own `external` would take everything below a package too. */
function exactExternals() {
  return {
    name: "exact-externals",
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[^./]/ }, ({ path }) => (MAPPED.includes(path) ? { path, external: true } : undefined));
    },
  };
}

/** Modules that pass on what the console has, by name, because that is how scripts import it. */
function writeShims(root, folder) {
  mkdirSync(folder, { recursive: true });
  const require = createRequire(join(root, "package.json"));
  for (const [specifier, name] of Object.entries(GIVEN)) {
    const names = Object.keys(require(specifier)).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default");
    const given = `const given = window.__III_CONSOLE__.${name};\nexport default given;\n`;
    writeFileSync(join(folder, fileOf(specifier)), `${given}export const { ${names.join(", ")} } = given;\n`);
  }
}

const fileOf = (specifier) => `${specifier.replaceAll("/", "-")}.js`;

/** The import map must stand in the page itself; its hash lets it through the page's content policy. */
function writeIndex(source, folder) {
  const imports = Object.fromEntries(Object.keys(GIVEN).map((specifier) => [specifier, `/vendor/${fileOf(specifier)}`]));
  const map = JSON.stringify({ imports });
  const hash = `sha256-${createHash("sha256").update(map).digest("base64")}`;
  const page = readFileSync(join(source, "preview", "index.html"), "utf8");
  writeFileSync(join(folder, "index.html"), page.replace("{{import-map-hash}}", hash).replace(">{}</script>", `>${map}</script>`));
}
