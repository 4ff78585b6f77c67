/** The directory page in a real browser: size of what is injected, time to the first rows, and scrolling through 5 000 skills. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { ConsoleWorld } from "../test/harness/browser.js";
import { ROOT } from "../test/harness/shared.js";
import { median, round } from "./measure.js";
import type { Findings } from "./results.js";

const SKILLS = 5_000;
const VISITS = 5;
const NAMESPACES = 50;

/** From the click on the page's link, with the script loaded, to the frame that shows rows. */
const OPEN = `new Promise((resolve) => {
  const from = performance.now();
  const look = () => document.querySelector(".directory .collection:not([hidden]) .row") ? requestAnimationFrame(() => resolve(performance.now() - from)) : requestAnimationFrame(look);
  document.querySelector('a[href="#/ext/directory"]').click();
  look();
})`;

/** From the end of loading the document to the rows: connection, assets, list. */
const AFTER_LOAD = `new Promise((resolve) => {
  const look = () => {
    const { loadEventEnd } = performance.getEntriesByType("navigation")[0];
    if (loadEventEnd > 0 && document.querySelector(".directory .collection:not([hidden]) .row")) requestAnimationFrame(() => resolve(performance.now() - loadEventEnd));
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Scrolls a screen a frame, from the first row to the last, and gives the longest task of the browser meanwhile. */
const SCROLL = `new Promise((resolve) => {
  const tasks = [0];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const box = document.querySelector(".directory .collection:not([hidden]) .rows");
  const step = () => {
    box.scrollTop += box.clientHeight;
    if (box.scrollTop + box.clientHeight < box.scrollHeight - 1) return requestAnimationFrame(step);
    setTimeout(() => resolve({ longest: Math.max(...tasks), rows: document.querySelectorAll(".directory .collection:not([hidden]) .row").length, last: box.textContent.includes("Skill ${SKILLS - 1}") }), 200);
  };
  step();
})`;

interface Scrolled {
  readonly longest: number;
  readonly rows: number;
  readonly last: boolean;
}

export async function run(): Promise<Findings> {
  const world = new ConsoleWorld();
  writeSkills(join(world.folder, "skills"));
  try {
    await world.open();
    const opened: number[] = [];
    const loaded: number[] = [];
    const scrolled: Scrolled[] = [];
    for (let visit = 0; visit <= VISITS; visit += 1) {
      const direct = await world.page("ext/directory");
      const afterLoad = (await direct.evaluate(AFTER_LOAD)) as number;
      await direct.context().close();
      const page = await world.page("status");
      await page.locator('a[href="#/ext/directory"]').waitFor();
      const open = (await page.evaluate(OPEN)) as number;
      const scroll = await scrollThrough(page);
      await page.context().close();
      // The first visit fills the caches of the worker and the browser.
      if (visit === 0) continue;
      opened.push(open);
      loaded.push(afterLoad);
      scrolled.push(scroll);
    }
    if (!scrolled.every(({ last }) => last)) throw new Error("the last row never came");
    return findings(opened, loaded, scrolled);
  } finally {
    await world.close();
  }
}

async function scrollThrough(page: Page): Promise<Scrolled> {
  return (await page.evaluate(SCROLL)) as Scrolled;
}

function findings(opened: readonly number[], loaded: readonly number[], scrolled: readonly Scrolled[]): Findings {
  const script = readFileSync(join(ROOT, "dist", "console", "page.js"));
  const style = readFileSync(join(ROOT, "dist", "console", "styles.css"));
  return {
    subject: "console",
    findings: [
      { what: "injected script, minified", value: round(script.length / 1_000), unit: "kB", limit: 200 },
      { what: "injected script, compressed", value: round(gzipSync(script).length / 1_000), unit: "kB" },
      { what: "injected styles, minified", value: round(style.length / 1_000), unit: "kB" },
      {
        what: `opening the page until rows of ${SKILLS} skills show, median`,
        value: round(median(opened)),
        unit: "ms",
        limit: 300,
      },
      { what: `document loaded until rows of ${SKILLS} skills show, median`, value: round(median(loaded)), unit: "ms" },
      {
        what: `longest task while scrolling through ${SKILLS} skills (0: none over 50 ms)`,
        value: round(Math.max(...scrolled.map(({ longest }) => longest))),
        unit: "ms",
        limit: 100,
      },
      { what: "rows that are elements, at most", value: Math.max(...scrolled.map(({ rows }) => rows)), unit: "rows" },
    ],
  };
}

function writeSkills(folder: string): void {
  for (let index = 0; index < SKILLS; index += 1) {
    const name = String(index).padStart(4, "0");
    const space = join(folder, `space${String(Math.floor(index / (SKILLS / NAMESPACES))).padStart(2, "0")}`);
    mkdirSync(space, { recursive: true });
    const head = `---\ntitle: Skill ${index}\ndescription: What there is to know about subject ${index}, in one line\n---\n`;
    writeFileSync(join(space, `topic-${name}.md`), `${head}\n# Skill ${index}\n\nWords about subject ${index}.\n`);
  }
}
