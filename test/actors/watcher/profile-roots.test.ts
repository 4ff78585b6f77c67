/** Spec 03 §9, §12.37, §12.38: which family a file below the folder of profiles rings for, wherever that folder lies. */
import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyOf, type WatchedRoot } from "../../../actors/watcher/families.js";

const roots = (agents: string): WatchedRoot[] => [
  { path: "/p/skills", role: "content", create: true },
  { path: "/p/skills/iii", role: "content", create: true },
  { path: agents, role: "agent-profiles", create: true },
];

for (const [agents, path, family] of [
  ["/p/agents", "/p/agents/lead.md", "agents"],
  ["/p/agents", "/p/agents/nested/lead.md", undefined],
  ["/p/agents", "/p/agents/lead.txt", undefined],
  ["/p/agents", "/p/agentsx/lead.md", undefined],
  ["/p/agents", "/p/skills/ns/agents/lead.md", undefined],
  ["/p/agents", "/p/skills/iii/system-prompts/a.md", "system-prompts"],
  ["/p/agents", "/p/skills/ns/prompts/a.md", "prompts"],
  ["/p/agents", "/p/skills/ns/system-prompts/prompts/a.md", "system-prompts"],
  ["/p/skills/profiles", "/p/skills/profiles/lead.md", "agents"],
  ["/p/skills/profiles", "/p/skills/profiles/system-prompts/a.md", undefined],
  ["/p/skills", "/p/skills/lead.md", "agents"],
  ["/p/skills", "/p/skills/ns/page.md", "skills"],
  ["/p/skills", "/p/skills/system-prompts/a.md", "system-prompts"],
  ["/p", "/p/lead.md", "agents"],
  ["/p", "/p/skills/page.md", "skills"],
] as const) {
  test(`spec 03 §9: with profiles in ${agents}, ${path} rings ${family ?? "nobody"}`, () => {
    assert.is(familyOf(path, roots(agents)), family);
  });
}

test.run();
