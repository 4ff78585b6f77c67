import { test } from "uvu";
import * as assert from "uvu/assert";
import { maskUserInfo, readDownloadRequest, repositoryFault, skillFault } from "../../../actors/registry/download-request.js";
import type { DownloadRequest } from "../../../protocol/functions/downloads.js";

const REFUSED: readonly (readonly [request: DownloadRequest, said: RegExp])[] = [
  [{}, /^specify either(?!.*not both)/],
  [{ worker: "   " }, /^specify either/],
  [{ repo: "https://x.test/r", skill: "s", worker: "w", tag: "t" }, /^specify either.*not both/],
  [{ worker: "w", skill: "s" }, /not both/],
  [{ repo: "https://x.test/r" }, /skill is required/],
  [{ skill: "s" }, /repo is required/],
  [{ repo: "", skill: "", branch: "x" }, /repo is required/],
  [{ worker: " ", version: "1" }, /worker is required/],
  [{ worker: "resend", version: "1.2.3", tag: "latest" }, /either version OR tag/],
  [{ worker: "../../etc" }, /"\.\.\/\.\.\/etc" is no worker name/],
  [{ worker: "SHELL" }, /"SHELL"/],
  [{ worker: "system-prompts" }, /reserved/],
];
for (const [request, said] of REFUSED) {
  test(`spec 04 §10.1: ${JSON.stringify(request)} is refused`, () => {
    assert.throws(
      () => readDownloadRequest(request),
      (error: Error) => said.test(error.message),
    );
  });
}

const READ: readonly (readonly [request: DownloadRequest, download: unknown])[] = [
  [{ worker: "resend" }, { kind: "registry", worker: "resend", spec: { tag: "latest" } }],
  [
    { worker: "resend", version: "1.2.3" },
    { kind: "registry", worker: "resend", spec: { version: "1.2.3" } },
  ],
  [
    { worker: "  resend  ", tag: "latest\n" },
    { kind: "registry", worker: "resend", spec: { tag: "latest" } },
  ],
  [
    { repo: "https://x.test/r", skill: "s" },
    { kind: "repo", repo: "https://x.test/r", skill: "s", branch: "main" },
  ],
  [
    { repo: "https://x.test/r", skill: "s", branch: "master" },
    { kind: "repo", repo: "https://x.test/r", skill: "s", branch: "master" },
  ],
];
for (const [request, download] of READ) {
  test(`spec 04 §10.1: ${JSON.stringify(request)}`, () => assert.equal(readDownloadRequest(request), download));
}

for (const skill of ["frontend-design", "foo_bar", "v2", "a.b.c", "-x", "Foo"]) {
  test(`spec 04 §10.2: skill ${skill}`, () => assert.is(skillFault(skill), undefined));
}
for (const skill of ["", "..", "a/b", "a\\b", ".hidden", "a..b", "prompts", "agents", "/tmp/x", "..%2fx", ".git", "a b"]) {
  test(`spec 04 §10.2, C9: no skill ${JSON.stringify(skill)}`, () => assert.type(skillFault(skill), "string"));
}

const ADDRESSES: readonly (readonly [repo: string, token: string | undefined])[] = [
  ["https://github.com/x/y", undefined],
  ["git@github.com:x/y", undefined],
  ["ssh://git@github.com/x/y", undefined],
  ["https://git.example.org/g/sub/coast/-/tree/main/skills", undefined],
  ["ext::sh -c 'x'", "::"],
  ["file:///etc", "file:"],
  ["FILE:///etc", "file:"],
  ["--upload-pack=evil", "'-'"],
  ["", "non-empty"],
  ["http://insecure.com/repo", "https://"],
  ["git::https://x.com/y", "::"],
  ["git://x.com/y", "https://"],
  ["HTTPS://x.com/y", "https://"],
  ["owner/name", "https://"],
  ["git@x/r", "https://"],
  ["git@-oProxyCommand=x:y", "https://"],
  ["ssh://-oProxyCommand=x/y", "https://"],
  ["https:///x", "https://"],
  ["https://x.com/a b", "control characters"],
  ["https://x.com/a\nb", "control characters"],
];
for (const [repo, token] of ADDRESSES) {
  test(`spec 04 §10.2, G2: address ${JSON.stringify(repo)}`, () => {
    const fault = repositoryFault(repo);
    if (token === undefined) assert.is(fault, undefined);
    else assert.ok(fault?.includes(token), fault);
  });
}

test("G7: user information is masked wherever it stands", () => {
  assert.is(maskUserInfo("from https://user:tok@x.test/r and ssh://git@h/r"), "from https://***@x.test/r and ssh://***@h/r");
});

test.run();
