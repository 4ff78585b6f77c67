/** One collection of the directory page while saves, reads and events overlap: every answer comes when the test says so. Issue 10. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { COLLECTIONS, type Collection } from "../../console/directory/collections.js";
import { CollectionStore } from "../../console/directory/store.js";
import type { Draft, Drafts } from "../../console/drafts.js";
import type { Bus } from "../../console/host.js";

const SKILLS = COLLECTIONS.find(({ id }) => id === "skills") as Collection;

interface Call {
  readonly id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  answer(value: unknown): Promise<void>;
  refuse(message: string): Promise<void>;
}

/** A bus that keeps every call until the test answers it; lists are empty at once. */
class HeldBus implements Bus {
  readonly browserId = "tab";
  readonly calls: Call[] = [];
  readonly #changed: (() => unknown)[] = [];

  trigger<Reply>(id: string, payload: unknown = {}): Promise<Reply> {
    if (id === "directory::skills::list") return Promise.resolve({ skills: [] } as Reply);
    return new Promise<Reply>((resolve, reject) => {
      const settled = async (settle: () => void): Promise<void> => {
        this.calls.splice(this.calls.indexOf(call), 1);
        settle();
        await turns();
      };
      const call: Call = {
        id: id.replace("directory::skills::", ""),
        payload: payload as Readonly<Record<string, unknown>>,
        answer: (value) => settled(() => resolve(value as Reply)),
        refuse: (message) => settled(() => reject(new Error(message))),
      };
      this.calls.push(call);
    });
  }
  on(_id: string, handler: (payload: unknown) => unknown): () => void {
    this.#changed.push(() => handler({}));
    return () => undefined;
  }
  registerTrigger(): () => void {
    return () => undefined;
  }
  /** The directory says that something changed on disk. */
  async changed(): Promise<void> {
    for (const tell of this.#changed) tell();
    await turns();
  }
  names(): string[] {
    return this.calls.map(({ id }) => id);
  }
  /** The oldest call of this function that waits. */
  held(id: string): Call {
    const call = this.calls.find((each) => each.id === id);
    assert.ok(call, `no ${id} waits, only ${this.names().join(", ")}`);
    return call as Call;
  }
}

class MemoryDrafts implements Drafts {
  draft: Draft | undefined;
  read(): Draft | undefined {
    return this.draft;
  }
  apply(decision: Draft | "clear" | "keep"): boolean {
    if (decision === "clear") this.draft = undefined;
    else if (decision !== "keep") this.draft = decision;
    return true;
  }
}

/** Lets everything run that waits for nothing but earlier promises. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const text = (body: string): string => `---\ntitle: T\n---\n\n${body}\n`;

interface Opened {
  readonly bus: HeldBus;
  readonly drafts: MemoryDrafts;
  readonly store: CollectionStore;
  stop(): void;
}

function started(draft?: Draft): Opened {
  const bus = new HeldBus();
  const drafts = new MemoryDrafts();
  drafts.draft = draft;
  const store = new CollectionStore(bus, SKILLS, drafts);
  return { bus, drafts, store, stop: store.start() };
}

async function opened(key: string, body: string): Promise<Opened> {
  const all = started();
  void all.store.select(key);
  await all.bus.held("get").answer({ raw: text(body) });
  return all;
}

test("issue 10: what is typed and saved during the first save of a new entry is an update of it, not a second creation", async () => {
  const { bus, store, stop } = started();
  store.startCreating();
  store.setNewKey("a/b");
  store.edit(text("one"));
  void store.save();
  store.edit(text("two"));
  assert.is(store.state.status, "saving");
  void store.save();
  assert.equal(bus.names(), ["create"]);
  await bus.held("create").answer({ id: "a/b" });
  assert.equal(bus.names(), ["update"]);
  assert.equal(bus.held("update").payload, { id: "a/b", content: text("two") });
  await bus.held("update").answer({ id: "a/b" });
  await bus.held("get").answer({ raw: text("two") });
  assert.equal(bus.names(), []);
  assert.is(store.state.status, "saved");
  assert.not(store.isDirty);
  stop();
});

test("issue 10: a save asked for twice without a change between is sent once, also when it is refused", async () => {
  const { bus, store, stop } = await opened("a", "one");
  store.edit(text("two"));
  void store.save();
  void store.save();
  await bus.held("update").answer({ id: "a" });
  assert.equal(bus.names(), ["get"]);
  await bus.held("get").answer({ raw: text("two") });
  store.edit(text("three"));
  void store.save();
  void store.save();
  await bus.held("update").refuse("the disk is full");
  assert.equal(bus.names(), []);
  assert.equal([store.state.status, store.state.error, store.isDirty], ["idle", "the disk is full", true]);
  stop();
});

test("issue 10: a read that began before a save does not bring back what the save replaced", async () => {
  const { bus, store, stop } = await opened("a", "one");
  await bus.changed();
  const early = bus.held("get");
  store.edit(text("two"));
  void store.save();
  await bus.held("update").answer({ id: "a" });
  assert.equal(bus.names(), ["get", "get"]);
  await early.answer({ raw: text("one") });
  assert.is(store.state.content, text("two"));
  assert.is(store.state.external, undefined);
  await bus.held("get").answer({ raw: text("two") });
  assert.equal([bus.names(), store.state.content, store.state.baseline], [[], text("two"), text("two")]);
  stop();
});

test("issue 10: a read that is answered during a save is asked again after it, even when the save is refused", async () => {
  const { bus, store, stop } = await opened("a", "one");
  store.edit(text("two"));
  void store.save();
  await bus.changed();
  await bus.held("get").answer({ raw: text("one") });
  assert.equal(bus.names(), ["update"]);
  await bus.held("update").refuse("late");
  assert.equal(bus.names(), ["get"]);
  await bus.held("get").answer({ raw: text("theirs") });
  assert.equal(store.state.external, { content: text("theirs") });
  assert.is(store.state.content, text("two"));
  stop();
});

test("issue 10: of two reads that are answered in the wrong order the later one holds", async () => {
  const { bus, store, stop } = await opened("a", "one");
  await bus.changed();
  await bus.changed();
  const [first, second] = [...bus.calls];
  await second?.answer({ raw: text("newest") });
  await first?.answer({ raw: text("older") });
  assert.is(store.state.content, text("newest"));
  stop();
});

test("issue 10: a change on disk while the entry is being loaded is read after it", async () => {
  const { bus, store, stop } = started();
  void store.select("a");
  await bus.changed();
  assert.equal(bus.names(), ["get"]);
  await bus.held("get").answer({ raw: text("one") });
  assert.is(store.state.content, text("one"));
  await bus.held("get").answer({ raw: text("two") });
  assert.equal([bus.names(), store.state.content, store.state.status], [[], text("two"), "idle"]);
  stop();
});

test("issue 10: an entry that is opened again during its save is shown as saved", async () => {
  const { bus, store, stop } = await opened("a", "one");
  store.edit(text("two"));
  void store.save();
  void store.select("a");
  await bus.held("get").answer({ raw: text("one") });
  assert.equal([bus.names(), store.state.status], [["update"], "loading"]);
  await bus.held("update").answer({ id: "a" });
  await bus.held("get").answer({ raw: text("two") });
  assert.equal([bus.names(), store.state.status, store.state.content], [[], "idle", text("two")]);
  stop();
});

test("issue 10: an entry left during its save keeps what was saved; a save asked for in the next entry follows and is of that one", async () => {
  const { bus, store, stop } = await opened("a", "one");
  store.edit(text("two"));
  void store.save();
  void store.select("b");
  // Another entry's save keeps nobody waiting.
  await bus.held("get").answer({ raw: text("b") });
  store.edit(text("b2"));
  void store.save();
  assert.equal([bus.names(), store.state.key, store.state.status], [["update"], "b", "saving"]);
  await bus.held("update").answer({ id: "a" });
  assert.equal(bus.held("update").payload, { id: "b", content: text("b2") });
  store.edit(text("b3"));
  void store.save();
  void store.select("c");
  await bus.held("update").answer({ id: "b" });
  // The second one was of an entry whose unsaved words were given up by leaving it.
  assert.equal(bus.names(), ["get"]);
  await bus.held("get").answer({ raw: text("c") });
  assert.equal([bus.names(), store.state.key, store.state.status], [[], "c", "idle"]);
  stop();
});

test("issue 10: a deletion asked for during a save comes after it, and no other save follows", async () => {
  const { bus, store, stop } = await opened("a", "one");
  store.edit(text("two"));
  void store.save();
  store.edit(text("three"));
  void store.save();
  void store.remove();
  assert.equal(bus.names(), ["update"]);
  await bus.held("update").answer({ id: "a" });
  await bus.held("get").answer({ raw: text("two") });
  assert.equal(bus.names(), ["delete"]);
  await bus.held("delete").answer({});
  assert.equal([bus.names(), store.state.key], [[], undefined]);
  stop();
});

test("spec 07 §11 row 56: a draft whose entry was deleted meanwhile is kept, and can be made a new entry", async () => {
  const { bus, store, drafts, stop } = started({ creating: false, key: "gone", content: text("mine") });
  await bus.held("get").refuse("D110: no such skill");
  assert.equal([store.state.external, store.state.content, store.isDirty], [{ content: null }, text("mine"), true]);
  store.keepAsNew();
  void store.save();
  assert.equal(bus.held("create").payload, { id: "gone", content: text("mine") });
  await bus.held("create").answer({ id: "gone" });
  assert.is(drafts.draft, undefined);
  stop();
});

test("spec 07 §11 row 56: what is typed while a restored draft is being loaded is kept", async () => {
  const { bus, store, drafts, stop } = started({ creating: false, key: "a", content: text("mine") });
  store.edit(text("mine too"));
  await bus.changed();
  await bus.held("get").answer({ raw: text("one") });
  await bus.held("get").answer({ raw: text("one") });
  assert.equal([store.state.content, store.state.baseline, store.isDirty], [text("mine too"), text("one"), true]);
  assert.equal(drafts.draft, { creating: false, key: "a", content: text("mine too") });
  stop();
});

test.run();
