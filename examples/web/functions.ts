/** Fetching from the public web, read-only and within limits: http and https, 1 MiB, 10 s, five redirects, no private addresses. */
import { Type } from "typebox";
import { type Offer, offer } from "../example.js";
import type { Downloader } from "./download.js";
import { links, readable } from "./html.js";

const Url = Type.String({ minLength: 8, maxLength: 2000, description: "Web address that begins with http:// or https://" });
const Status = Type.Integer({ description: "HTTP status, 200 when all went well" });
const FinalUrl = Type.String({ description: "Address after redirects" });
const Truncated = Type.Boolean({ description: "The page was longer than 1 MiB and is cut" });
const MOST_TEXT = 100_000;

export function webOffers(downloader: Downloader): Offer[] {
  return [
    offer({
      id: "web::fetch",
      description: "Fetch the contents of a web address over HTTP with a GET request: status, type and text of the response.",
      request: Type.Object({ url: Url }, { additionalProperties: false }),
      response: Type.Object({
        url: FinalUrl,
        status: Status,
        content_type: Type.String(),
        body: Type.String(),
        truncated: Truncated,
      }),
      answer: async ({ url: address }) => {
        const { url, status, headers, body, truncated } = await downloader.get(address);
        return { url, status, content_type: headers["content-type"] ?? "", body, truncated };
      },
    }),
    offer({
      id: "web::fetch-json",
      description:
        "Call a JSON API with a GET request and return the parsed answer, or one part of it by a path such as items.0.name.",
      request: Type.Object(
        { url: Url, path: Type.Optional(Type.String({ maxLength: 300, description: "Names and list positions, joined by dots" })) },
        { additionalProperties: false },
      ),
      response: Type.Object({
        url: FinalUrl,
        status: Status,
        json: Type.Unknown({ description: "The answer or the wanted part; null if absent" }),
      }),
      answer: async ({ url: address, path }) => {
        const { url, status, body, truncated } = await downloader.get(address);
        if (truncated) throw new Error("too_large: the answer is longer than 1 MiB");
        let json: unknown;
        try {
          json = JSON.parse(body);
        } catch {
          throw new Error(`not_json: ${url} answered ${status} with something else than JSON`);
        }
        return { url, status, json: part(json, path) };
      },
    }),
    offer({
      id: "web::headers",
      description:
        "Ask a web address for its response headers only, to see whether a link works, how large it is or when it changed.",
      request: Type.Object({ url: Url }, { additionalProperties: false }),
      response: Type.Object({ url: FinalUrl, status: Status, headers: Type.Record(Type.String(), Type.String()) }),
      answer: async ({ url: address }) => {
        const { url, status, headers } = await downloader.get(address, "HEAD");
        return { url, status, headers: { ...headers } };
      },
    }),
    offer({
      id: "web::read-page",
      description: "Read a web page as a person would: its title and its text without markup, scripts and styles.",
      request: Type.Object({ url: Url }, { additionalProperties: false }),
      response: Type.Object({ url: FinalUrl, status: Status, title: Type.String(), text: Type.String(), truncated: Truncated }),
      answer: async ({ url: address }) => {
        const { url, status, body, truncated } = await downloader.get(address);
        const { title, text } = readable(body);
        return { url, status, title, text: text.slice(0, MOST_TEXT), truncated: truncated || text.length > MOST_TEXT };
      },
    }),
    offer({
      id: "web::links",
      description: "List the links on a web page with their texts, each address once.",
      request: Type.Object(
        {
          url: Url,
          same_site: Type.Optional(Type.Boolean({ default: false, description: "Only links to the same host" })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 200 })),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({
        url: FinalUrl,
        links: Type.Array(Type.Object({ url: Type.String(), text: Type.String() })),
        total: Type.Integer(),
      }),
      answer: async ({ url: address, same_site = false, limit = 200 }) => {
        const { url, body } = await downloader.get(address);
        const { host } = new URL(url);
        const found = links(body, url).filter((link) => !same_site || new URL(link.url).host === host);
        return { url, links: found.slice(0, limit), total: found.length };
      },
    }),
    offer({
      id: "web::parse-url",
      description: "Take a web address apart: scheme, host, port, path, query parameters and fragment. Fetches nothing.",
      request: Type.Object(
        { url: Type.String({ minLength: 1, maxLength: 2000, description: "The address" }) },
        { additionalProperties: false },
      ),
      response: Type.Object({
        scheme: Type.String(),
        host: Type.String(),
        port: Type.Union([Type.Integer(), Type.Null()], { description: "null: the usual one of the scheme" }),
        path: Type.String(),
        query: Type.Record(Type.String(), Type.Array(Type.String())),
        fragment: Type.String(),
      }),
      answer: ({ url: address }) => {
        if (!URL.canParse(address)) throw new Error(`invalid_request: ${JSON.stringify(address)} is not an absolute web address`);
        const { protocol, hostname, port, pathname, searchParams, hash } = new URL(address);
        const names = [...new Set(searchParams.keys())];
        return {
          scheme: protocol.slice(0, -1),
          host: hostname,
          port: port === "" ? null : Number(port),
          path: pathname,
          query: Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)])),
          fragment: hash.slice(1),
        };
      },
    }),
  ];
}

function part(json: unknown, path: string | undefined): unknown {
  let value = json;
  for (const name of path === undefined || path === "" ? [] : path.split(".")) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
