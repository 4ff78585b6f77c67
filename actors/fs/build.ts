/** Puts the fs actor together. */

import { firstSegment, resolveId } from "../../domain/skill-id.js";
import { wellFormed } from "../../domain/well-formed.js";
import type { FsActor, SkillSearchRow } from "../../protocol/actors/fs.js";
import type { OwnWrite } from "../../protocol/actors/watcher.js";
import type { CallContext } from "../../protocol/call.js";
import type { Doorbell } from "../../protocol/doorbells.js";
import type { SkillRow } from "../../protocol/functions/skills.js";
import { type ActorSetting, ownContext } from "../runtime.js";
import { agentMethods } from "./agent-methods.js";
import { BundleDesk } from "./bundle-desk.js";
import { Installed } from "./installed.js";
import { promptMethods } from "./prompt-methods.js";
import { contentRoots } from "./roots.js";
import { isOverview, renderIndex } from "./skill-index.js";
import { SkillLibrary, shownId } from "./skill-library.js";
import { getSkill, listSkills } from "./skill-reading.js";
import { createSkill, deleteSkill, type SkillChange, updateSkill } from "./skill-writing.js";
import { Store } from "./store.js";

const TELL_MS = 1_000;
/** Rows for searches are read again after so long even when no event came: a watcher can be missing. */
const SEARCH_ROWS_KEPT_MS = 30_000;

export async function buildFs({ peers, configuration, surroundings, log, onDrain }: ActorSetting): Promise<FsActor> {
  const roots = contentRoots(configuration.current, surroundings);
  const installed = new Installed({ bus: peers.bus, maxAgeMs: () => configuration.current.registry_cache_ttl_ms });
  const library = new SkillLibrary({ roots, installed });
  const tell = async (writes: readonly OwnWrite[]): Promise<void> => {
    searchRows = undefined;
    // A watcher that is down rings once too often, which is better than a write that fails.
    await peers.watcher.ownWrites({ writes }, ownContext("own-writes", TELL_MS)).catch(() => {});
  };
  const store = new Store({ tell });
  let searchRows: { readonly rows: readonly SkillSearchRow[]; readonly readAt: number } | undefined;
  configuration.onChange(() => {
    installed.forget();
    searchRows = undefined;
  });
  const downloads = new BundleDesk({ roots, tell });
  await downloads.recover().catch((error: unknown) => log.warn({ err: error }, "an interrupted download could not be finished"));
  onDrain(async () => {
    await Promise.all([store.settle(), downloads.settle()]);
  });

  const view = (context: CallContext, fresh = false) => library.view(context, configuration.of(context).filter_unregistered, fresh);
  const ring = async (bell: Doorbell, context: CallContext): Promise<void> => {
    await peers.doorbells.ring(bell, context).catch((error: unknown) => log.warn({ err: error }, "a doorbell could not be rung"));
  };
  const family = { roots, store, packageRoot: surroundings.packageRoot, ring };
  const prompts = promptMethods(family);
  const agents = agentMethods({
    ...family,
    bus: peers.bus,
    unknownSkills: async (skills, context) => {
      const { byId } = await view(context);
      return skills.filter((skill) => resolveId(skill, (id) => byId.has(id)) === undefined);
    },
  });
  const changed = (op: SkillChange["payload"]["op"], id: string): SkillChange => ({
    family: "skills",
    payload: { op, namespace: firstSegment(id), id },
  });

  return {
    ...prompts.methods,
    ...agents.methods,
    async listSkills(request, context) {
      return { skills: await listSkills(library, await view(context), request) };
    },
    async getSkill(request, context) {
      return getSkill(library, await view(context), request, () => installed.names(context));
    },
    async indexSkills(_, context) {
      const seen = await view(context, true);
      const rows = await library.lookAtAll(
        seen.visible.filter(({ tier }) => tier !== "agent-skills"),
        seen,
      );
      const entries = rows
        .filter(({ skill, row }) => isOverview(skill.id, row.type))
        .map(({ skill, row }) => ({ id: skill.id, shownId: shownId(skill, seen), title: row.title, description: row.description }))
        .sort((left, right) => (left.shownId < right.shownId ? -1 : 1));
      return wellFormed(renderIndex(entries));
    },
    async createSkill(request, context) {
      const seen = await view(context);
      const known = configuration.of(context).filter_unregistered ? await installed.names(context) : undefined;
      const written = await createSkill(request, { view: seen, store, folder: roots.global, installed: known });
      await ring(changed("create", written.id), context);
      return written;
    },
    async updateSkill(request, context) {
      const written = await updateSkill(request, await view(context), store);
      await ring(changed("update", written.id), context);
      return written;
    },
    async deleteSkill({ id }, context) {
      const removed = await deleteSkill(id, await view(context), store, [roots.global, roots.local]);
      await ring(changed("delete", removed), context);
      return { id: removed };
    },
    async installBundle(request) {
      const done = await downloads.install(request);
      installed.forget();
      return done;
    },
    async downloadState({ namespace }) {
      return downloads.state(namespace);
    },
    async searchRows(_, context) {
      if (searchRows === undefined || Date.now() - searchRows.readAt > SEARCH_ROWS_KEPT_MS) {
        const seen = await rowsForSearch(context);
        searchRows = { rows: seen.filter((row) => !row.disable_model_invocation).map(searchRow), readAt: Date.now() };
      }
      return { rows: searchRows.rows };
    },
    async contentChanged() {
      searchRows = undefined;
    },
    async report() {
      const { faults, skills } = library.health;
      return { faults: [...faults, ...prompts.faults(), ...agents.faults(), ...downloads.faults()], skills };
    },
  };

  /** Visible by the live functions rather than by the compose daemon: a worker that runs is one whose skills are of use (decision 16). */
  async function rowsForSearch(context: CallContext): Promise<SkillRow[]> {
    const snapshot = configuration.of(context).filter_unregistered
      ? await peers.catalog.snapshot({}, context).catch(() => undefined)
      : undefined;
    const live = snapshot?.known === true ? new Set(snapshot.namespaces) : undefined;
    const seen = await library.viewOf(live);
    return library.rows(seen.visible, seen);
  }
}

function searchRow({ id, title, description }: SkillRow): SkillSearchRow {
  return { id, title, description };
}
