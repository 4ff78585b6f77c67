/** The example fetcher: what it reads, and above all what it doesn't. */
import { once } from "node:events";
import { createServer } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Downloader, isPrivate } from "../../examples/web/download.js";
import { webOffers } from "../../examples/web/functions.js";
import { links, readable } from "../../examples/web/html.js";
import { asking, refusal } from "../harness/offers.js";

const test = suite();
const PAGE = `<!doctype html><html><head><title>A &amp; B</title><style>p{}</style></head>
<body><script>if (1 < 2) evil()</script><h1>Hello</h1><p>to <b>you</b>&nbsp;&#x1F600;</p><!-- <a href="/no">no</a> -->
<a href="/one#x">First</a> <a class=a href='two?q=1&amp;r=2'>Second</a> <a href="mailto:a@b">Mail</a> <a href="/one">again</a></body></html>`;

let base = "";
const server = createServer((request, response) => {
  const path = request.url ?? "";
  if (path === "/page") response.setHeader("content-type", "text/html").end(PAGE);
  else if (path === "/json") response.end('{"items":[{"name":"x"}]}');
  else if (path === "/big") response.end("x".repeat(5_000));
  else if (path === "/loop") response.writeHead(302, { location: "/loop" }).end();
  else if (path === "/hop") response.writeHead(301, { location: "page" }).end();
  else if (path === "/inward") response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
  else if (path === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
  else if (path !== "/never") response.writeHead(404).end("no");
});

test.before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
test.after(() => {
  server.closeAllConnections();
  server.close();
});

const ask = asking(webOffers(new Downloader({ allowPrivate: true, maxBytes: 1_000, timeoutMs: 300 })));
const safe = asking(webOffers(new Downloader()));

test("a page, its text, its links, its headers, a part of an answer", async () => {
  assert.equal(await ask("web::fetch", { url: `${base}/hop` }), {
    url: `${base}/page`,
    status: 200,
    content_type: "text/html",
    body: PAGE,
    truncated: false,
  });
  const page = await ask("web::read-page", { url: `${base}/page` });
  assert.equal([page["title"], page["text"]], ["A & B", "Hello\nto you 😀\nFirst Second Mail again"]);
  const { links: found } = await ask<{ links: { url: string; text: string }[] }>("web::links", {
    url: `${base}/page`,
    same_site: true,
  });
  assert.equal(
    found.map(({ url }) => url.slice(base.length)),
    ["/one", "/two?q=1&r=2"],
  );
  assert.is((await ask("web::headers", { url: `${base}/gone` })).status, 404);
  assert.is((await ask("web::fetch-json", { url: `${base}/json`, path: "items.0.name" }))["json"], "x");
  assert.is((await ask("web::fetch-json", { url: `${base}/json`, path: "items.length" }))["json"], 1);
});

test("limits: length, time, redirects, JSON that is none", async () => {
  const { body, truncated } = await ask<{ body: string; truncated: boolean }>("web::fetch", { url: `${base}/big` });
  assert.equal([body.length, truncated], [1_000, true]);
  assert.match(await refusal(ask("web::fetch", { url: `${base}/never` })), /took longer than 0.3 s/);
  assert.match(await refusal(ask("web::fetch", { url: `${base}/loop` })), /more than 5 redirects/);
  assert.match(await refusal(ask("web::fetch-json", { url: `${base}/page` })), /^not_json/);
  assert.match(await refusal(ask("web::fetch", { url: "http://127.0.0.1:1/" })), /^fetch_failed/);
});

test("never into a private network: by address, by name, by redirect, by another scheme", async () => {
  for (const url of [
    `${base}/page`,
    "http://localhost:1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://2130706433/",
    "http://0/",
  ]) {
    assert.match(await refusal(safe("web::fetch", { url })), /is not on the public web/, url);
  }
  assert.match(await refusal(ask("web::fetch", { url: `${base}/file` })), /only http and https/);
  for (const url of ["ftp://example.com", "http://user:pass@example.com/", "/relative/path"]) {
    assert.match(await refusal(safe("web::fetch", { url })), /^invalid_request/, url);
  }
});

const ADDRESSES: readonly [address: string, isPrivate: boolean][] = [
  ["8.8.8.8", false],
  ["172.15.0.1", false],
  ["172.16.0.1", true],
  ["169.254.169.254", true],
  ["100.64.1.1", true],
  ["255.255.255.255", true],
  ["2606:4700::1111", false],
  ["::1", true],
  ["::", true],
  ["fd00::1", true],
  ["fe80::1", true],
  ["::ffff:8.8.8.8", true],
  ["64:ff9b::7f00:1", true],
  ["2002:7f00:1::", true],
  ["not an address", true],
];
for (const [address, expected] of ADDRESSES) {
  test(`${address} is ${expected ? "private" : "public"}`, () => {
    assert.is(isPrivate(address), expected);
  });
}

test("hostile markup is read in one pass", () => {
  const text = `${"<".repeat(50_000)}${"<a href='".repeat(20_000)}${"&#".repeat(20_000)}`;
  assert.equal(readable(text), { title: "", text: "" });
  assert.equal(links(text, "http://x.example/"), []);
  assert.equal(readable("<p>a &#xD800; &#1114112; &lt;b&gt;"), { title: "", text: "a &#xD800; &#1114112; <b>" });
});

test("an address taken apart", async () => {
  assert.equal(await safe("web::parse-url", { url: "https://x.example:8443/a/b?k=1&k=2&__proto__=3#top" }), {
    scheme: "https",
    host: "x.example",
    port: 8443,
    path: "/a/b",
    query: JSON.parse('{"k":["1","2"],"__proto__":["3"]}'),
    fragment: "top",
  });
});

test.run();
