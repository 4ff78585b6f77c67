/**
 * Markdown as elements. Skill texts come from cloned repositories and this script runs with all rights of the console, so there is no
 * way from a text to HTML: tags stay text, images are shown as their source, and only http, https and mailto addresses become links.
 */
import { Fragment, memo, type ReactNode } from "react";
import { Marked } from "./invisible.js";

type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "code"; readonly text: string; readonly language: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "rule" }
  | { readonly kind: "paragraph"; readonly text: string };

const FENCE = /^\s{0,3}(```+|~~~+)\s*([\w+-]*)/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^\s{0,6}(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/;
const RULE = /^\s{0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_LINE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

export function parseBlocks(markdown: string): Block[] {
  const lines = markdown.split(/\r\n|\n|\r/);
  const blocks: Block[] = [];
  let at = 0;
  const take = (test: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && test(lines[at] ?? "")) at += 1;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (fence !== null) {
      at += 1;
      const text = take((next) => !next.trim().startsWith(fence[1] ?? "```")).join("\n");
      at += 1;
      blocks.push({ kind: "code", text, language: fence[2] ?? "" });
    } else if (heading !== null) {
      at += 1;
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
    } else if (RULE.test(line)) {
      at += 1;
      blocks.push({ kind: "rule" });
    } else if (ITEM.test(line)) blocks.push(list(take((next) => ITEM.test(next) || /^\s{2,}\S/.test(next))));
    else if (/^\s{0,3}>/.test(line)) {
      const quoted = take((next) => /^\s{0,3}>/.test(next));
      blocks.push({ kind: "quote", text: quoted.map((next) => next.replace(/^\s{0,3}>\s?/, "")).join("\n") });
    } else if (TABLE_ROW.test(line) && TABLE_LINE.test(lines[at + 1] ?? "")) {
      const rows = take((next) => TABLE_ROW.test(next)).filter((_, index) => index !== 1);
      blocks.push({ kind: "table", rows: rows.map(cells) });
    } else {
      at += 1;
      const rest = take((next) => next.trim() !== "" && !FENCE.test(next) && !HEADING.test(next) && !ITEM.test(next));
      blocks.push({ kind: "paragraph", text: [line, ...rest].join("\n") });
    }
  }
  return blocks;
}

function list(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item !== null) items.push(item[3] ?? "");
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return { kind: "list", ordered: ITEM.exec(lines[0] ?? "")?.[2] !== undefined, items };
}

function cells(row: string): string[] {
  return row
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
}

const INLINE =
  /(`+)([\s\S]+?)\1|\*\*([^*\n]+)\*\*|(?<![\w*])[*_]([^*_\n]+)[*_](?![\w*])|(!?)\[([^\]\n]*)\]\(([^)\s]*)(?:\s+"[^"]*")?\)/g;

/** Only these leave the console; anything else, `javascript:` above all, stays the text that it is. */
export function safeAddress(address: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(address) ? address : undefined;
}

function inline(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, , code, strong, emphasis, image, label = "", address = ""] = match;
    if (match.index > from) nodes.push(<Marked key={from} text={text.slice(from, match.index)} />);
    from = match.index + whole.length;
    if (code !== undefined) nodes.push(<code key={from}>{<Marked text={code} />}</code>);
    else if (strong !== undefined) nodes.push(<strong key={from}>{<Marked text={strong} />}</strong>);
    else if (emphasis !== undefined) nodes.push(<em key={from}>{<Marked text={emphasis} />}</em>);
    else nodes.push(<Fragment key={from}>{link(whole, image === "!", label, safeAddress(address))}</Fragment>);
  }
  if (from < text.length) nodes.push(<Marked key={from} text={text.slice(from)} />);
  return nodes;
}

function link(source: string, isImage: boolean, label: string, address: string | undefined): ReactNode {
  if (isImage || address === undefined) return <Marked text={source} />;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener" title={address}>
      <Marked text={label || address} />
    </a>
  );
}

function renderBlock(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case "heading": {
      // The page has its own first and second headings.
      const Heading = `h${Math.min(6, block.level + 2)}` as "h3";
      return <Heading key={key}>{inline(block.text)}</Heading>;
    }
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre key={key} tabIndex={0}>
          <code>
            <Marked text={block.text} />
          </code>
        </pre>
      );
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List key={key}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text is rendered as a whole
            <li key={index}>{inline(item)}</li>
          ))}
        </List>
      );
    }
    case "quote":
      return <blockquote key={key}>{inline(block.text)}</blockquote>;
    case "table":
      return <TextTable key={key} rows={block.rows} />;
    case "rule":
      return <hr key={key} />;
    case "paragraph":
      return <p key={key}>{inline(block.text)}</p>;
  }
}

function TextTable({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly string[])[] }): ReactNode {
  const row = (cells: readonly string[], Cell: "th" | "td", key: number): ReactNode => (
    <tr key={key}>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text is rendered as a whole
        <Cell key={index}>{inline(cell)}</Cell>
      ))}
    </tr>
  );
  return (
    <table>
      <thead>{row(head, "th", 0)}</thead>
      <tbody>{rows.map((cells, index) => row(cells, "td", index))}</tbody>
    </table>
  );
}

export const Markdown = memo(function Markdown({ text }: { readonly text: string }): ReactNode {
  return <div className="markdown">{parseBlocks(text).map(renderBlock)}</div>;
});
