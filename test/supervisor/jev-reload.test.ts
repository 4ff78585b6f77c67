/** T-I12 of spec 06 §20: two reloads of the search mode, one after the other whatever each has to wait for. */
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../border/log.js";
import type { EngineCall } from "../../protocol/actors/services.js";
import { ConfigurationKeeper } from "../../supervisor/configuration.js";

test("T-I12: a reload to hybrid that is held up, a reload to jev meanwhile: the second waits, and jev is what is left", async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let mode = "lexical";
  let gets = 0;
  const call = async ({ functionId }: EngineCall): Promise<unknown> => {
    if (functionId !== "configuration::get") return {};
    const value = { function_search_mode: mode };
    if (++gets === 2) await held;
    return { value };
  };
  const keeper = new ConfigurationKeeper({
    bus: { call },
    log: createLogger("test", "silent"),
    entryId: "iii-directory",
    bases: { home: "/h", projectBase: "/p" },
    pause: async () => {},
  });
  await keeper.boot();
  const applied: string[] = [];
  const apply = ({ function_search_mode }: { function_search_mode: string }): void => void applied.push(function_search_mode);
  mode = "hybrid";
  const first = keeper.reload(apply);
  mode = "hybrid";
  await sleep(1);
  mode = "jev";
  const second = keeper.reload(apply);
  await sleep(20);
  assert.equal(applied, [], "the second waits for the first");
  release();
  await Promise.all([first, second]);
  assert.equal(applied, ["hybrid", "jev"]);
});

test.run();
