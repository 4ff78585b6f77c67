/** Views of the other functions of the directory in a transcript. A shape that isn't known falls through to the console's own card. */
import type { ReactNode } from "react";
import { markedText } from "../hidden-characters.js";
import type { TriggerMessage, TriggerRenderer } from "../host.js";
import { Marked } from "../invisible.js";
import { Markdown } from "../markdown.js";
import { isUnsettled } from "../search/card.js";
import { unwrap } from "../search/parse.js";
import { ageText, bytesText, Chip } from "../ui.js";

type Fields = Readonly<Record<string, unknown>>;
type View = (reply: Fields, request: Fields) => ReactNode;

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((each) => typeof each === "string") : []);
/** Undefined when it isn't a list of objects: then nothing is shown. */
const rows = (value: unknown): Fields[] | undefined =>
  Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null) ? (value as Fields[]) : undefined;

function Head({
  verb,
  name,
  chips = [],
}: {
  readonly verb: string;
  readonly name?: string;
  readonly chips?: readonly string[];
}): ReactNode {
  return (
    <div className="card-head">
      <Chip tone="accent">{verb}</Chip>
      {name !== undefined && (
        <strong>
          <Marked text={name} />
        </strong>
      )}
      {chips
        .filter((chip) => chip !== "")
        .map((chip) => (
          <Chip key={chip}>{markedText(chip)}</Chip>
        ))}
    </div>
  );
}

function print(row: Fields): string {
  const bytes = typeof row["bytes"] === "number" ? bytesText(row["bytes"]) : "";
  return [bytes, ageText(text(row["modified_at"]))].filter((part) => part !== "").join(" · ");
}

function filters(request: Fields): string[] {
  return ["search", "prefix", "type"].flatMap((name) => (text(request[name]) === "" ? [] : [`${name}: ${text(request[name])}`]));
}

interface ListProps {
  readonly noun: string;
  readonly list: readonly Fields[];
  readonly idField: string;
  readonly titleField: string;
  readonly chips: (row: Fields) => readonly string[];
  readonly request: Fields;
}

const MOST_ROWS = 50;

function ListView({ noun, list, idField, titleField, chips, request }: ListProps): ReactNode {
  return (
    <article className="card" aria-label={`List of ${noun}`}>
      <Head verb={`${list.length} ${noun}`} chips={filters(request)} />
      <ul className="candidates">
        {list.slice(0, MOST_ROWS).map((row) => (
          <li key={text(row[idField])}>
            <p>
              <strong>
                <Marked text={`${text(row["logo"])} ${text(row[titleField]) || text(row[idField])}`.trim()} />
              </strong>{" "}
              <code>
                <Marked text={text(row[idField])} />
              </code>{" "}
              {chips(row)
                .filter((chip) => chip !== "")
                .map((chip) => (
                  <Chip key={chip}>{markedText(chip)}</Chip>
                ))}
            </p>
            <p className="hint">
              <Marked text={text(row["description"])} /> {print(row)}
            </p>
          </li>
        ))}
      </ul>
      {list.length > MOST_ROWS && <p className="hint">and {list.length - MOST_ROWS} more</p>}
    </article>
  );
}

const list =
  (field: string, noun: string, idField: string, titleField: string, chips: (row: Fields) => readonly string[] = () => []): View =>
  (reply, request) => {
    const found = rows(reply[field]);
    if (found === undefined) return null;
    return <ListView noun={noun} list={found} idField={idField} titleField={titleField} chips={chips} request={request} />;
  };

/** A document that was read. */
const document =
  (idField: string, bodyField: string, chips: (reply: Fields) => readonly string[]): View =>
  (reply) => {
    if (typeof reply[bodyField] !== "string" || typeof reply[idField] !== "string") return null;
    const title = text(reply["title"]) || text(reply["name"]) || text(reply[idField]);
    return (
      <article className="card" aria-label={title}>
        <Head
          verb="read"
          name={`${text(reply["logo"])} ${title}`.trim()}
          chips={[text(reply[idField]), ...chips(reply), print(reply)]}
        />
        <Markdown text={text(reply[bodyField])} />
      </article>
    );
  };

/** A document that was written; `was` when it has another name than before. */
const written =
  (verb: string, idField: string): View =>
  (reply, request) => {
    const id = text(reply[idField]);
    if (id === "") return null;
    const before = text(request[idField]);
    const was = verb === "updated" && idField === "name" && before !== "" && before !== id ? `was ${before}` : "";
    const title = text(reply["title"]) || text(reply["name"]) || id;
    return (
      <article className="card" aria-label={`${verb} ${id}`}>
        <Head verb={verb} name={`${text(reply["logo"])} ${title}`.trim()} chips={[id === title ? "" : id, was, print(reply)]} />
      </article>
    );
  };

const index: View = (reply) =>
  typeof reply["body"] !== "string" ? null : (
    <article className="card" aria-label="Index of skills">
      <Head verb="index" chips={[`${String(reply["workers_count"] ?? 0)} workers`]} />
      <Markdown text={reply["body"]} />
    </article>
  );

const FAMILIES = [
  ["skills", "Skills"],
  ["system_prompts", "System prompts"],
  ["prompts", "Command prompts"],
  ["agents", "Agent profiles"],
] as const;

const download: View = (reply, request) => {
  const namespace = text(reply["namespace"]) || text(reply["worker"]) || text(request["worker"]);
  const source = sourceText(reply["source"]) || text(request["repo"]);
  const groups = FAMILIES.map(([field, label]) => {
    const value = reply[`${field}_written`] ?? reply[field];
    return {
      label,
      names: Array.isArray(value) ? value.map((each) => text(each) || text(record(each)["id"]) || text(record(each)["name"])) : [],
    };
  }).filter(({ names }) => names.length > 0);
  if (typeof reply["namespace"] !== "string") return null;
  return (
    <article className="card" aria-label="Download of skills">
      <Head verb="downloaded" name={namespace} chips={[source, text(request["version"]) || text(request["tag"])]} />
      {groups.length === 0 && <p className="hint">Nothing was written.</p>}
      {groups.map(({ label, names }) => (
        <Names key={label} label={label} names={names} />
      ))}
    </article>
  );
};

/** Where it came from: the registry with a version or tag, or a repository. */
function sourceText(source: unknown): string {
  const { kind, repo, worker, version, tag } = record(source);
  return (
    text(source) || [text(kind), text(repo) || text(worker), text(version) || text(tag)].filter((part) => part !== "").join(" ")
  );
}

function Names({ label, names }: { readonly label: string; readonly names: readonly string[] }): ReactNode {
  if (names.length === 0) return null;
  return (
    <section className="card-section">
      <h3>
        {label} <Chip>{names.length}</Chip>
      </h3>
      <ul className="names">
        {names.map((name) => (
          <li key={name}>
            <code>
              <Marked text={name} />
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}

const agent: View = (reply) => {
  if (typeof reply["id"] !== "string" || typeof reply["system_prompt"] !== "string") return null;
  return (
    <article className="card" aria-label={text(reply["name"])}>
      <Head
        verb="read"
        name={`${text(reply["logo"])} ${text(reply["name"])}`.trim()}
        chips={[
          reply["id"],
          text(reply["model"]),
          `${texts(reply["skills"]).length} skills`,
          `${texts(reply["functions"]).length} functions`,
          print(reply),
        ]}
      />
      <Names label="Unknown skills" names={texts(reply["unknown_skills"])} />
      <Names label="Unknown functions" names={texts(reply["unknown_functions"])} />
      <Markdown text={reply["system_prompt"]} />
    </article>
  );
};

const agentFunctions =
  (verb: "added" | "removed"): View =>
  (reply) => {
    if (!Array.isArray(reply["functions"]) || typeof reply["id"] !== "string") return null;
    return (
      <article className="card" aria-label={`Functions of ${reply["id"]}`}>
        <Head verb={reply["unchanged"] === true ? "unchanged" : verb} name={reply["id"]} chips={[print(reply)]} />
        <Names label={verb === "added" ? "Added" : "Removed"} names={texts(reply[verb])} />
        <Names label="Now" names={texts(reply["functions"])} />
      </article>
    );
  };

const registryWorker: View = (reply) => {
  const worker = Object.keys(record(reply["worker"])).length > 0 ? record(reply["worker"]) : reply;
  if (text(worker["name"]) === "") return null;
  const functions = rows(record(reply["api_reference"])["functions"]) ?? [];
  const triggers = rows(record(reply["api_reference"])["triggers"]) ?? [];
  const skills = rows(record(reply["skills_tree"])["skills"]) ?? [];
  return (
    <article className="card" aria-label={text(worker["name"])}>
      <Head verb="registry" name={text(worker["name"])} chips={registryChips(worker)} />
      <p className="hint">
        <Marked text={text(worker["description"])} />
      </p>
      <Names label="Functions" names={functions.map(({ name }) => text(name))} />
      <Names label="Triggers" names={triggers.map(({ name }) => text(name))} />
      <Names label="Skills" names={skills.map(({ path }) => text(path))} />
      {text(reply["readme"]) !== "" && <Markdown text={text(reply["readme"])} />}
    </article>
  );
};

function registryChips(row: Fields): string[] {
  const downloads = row["downloads"] ?? row["total_downloads"];
  const author = record(row["author"]);
  return [
    text(row["version"]) || text(row["latest_version"]),
    text(row["type"]),
    typeof downloads === "number" ? `${downloads} downloads` : "",
    row["verified"] === true || author["verified"] === true ? "verified" : "",
  ];
}

const skillChips = (row: Fields): string[] => [text(row["type"]), text(row["function_id"])];
const agentChips = (row: Fields): string[] => [
  text(row["model"]),
  row["skill_count"] == null ? "" : `${String(row["skill_count"])} skills`,
  row["function_count"] == null ? "" : `${String(row["function_count"])} functions`,
  row["builtin"] === true ? "built-in" : "",
];
const promptChips = (row: Fields): string[] => [row["builtin"] === true ? "built-in" : ""];

/** Deleting has no view on purpose: the console's own line says all there is to say. */
const VIEWS: Readonly<Record<string, View>> = {
  "directory::skills::list": list("skills", "skills", "id", "title", skillChips),
  "directory::skills::get": document("id", "body", skillChips),
  "directory::skills::index": index,
  "directory::skills::create": written("created", "id"),
  "directory::skills::update": written("updated", "id"),
  "directory::skills::download": download,
  "directory::skills::download_from_registry": download,
  "directory::skills::download_from_repo": download,
  "directory::system-prompts::list": list("prompts", "system prompts", "name", "name", promptChips),
  "directory::system-prompts::get": document("name", "body", promptChips),
  "directory::system-prompts::create": written("created", "name"),
  "directory::system-prompts::update": written("updated", "name"),
  "directory::agents::list": list("agents", "agent profiles", "id", "name", agentChips),
  "directory::agents::get": agent,
  "directory::agents::create": written("created", "id"),
  "directory::agents::update": written("updated", "id"),
  "directory::agents::functions::add": agentFunctions("added"),
  "directory::agents::functions::remove": agentFunctions("removed"),
  "directory::registry::workers::list": list("workers", "registry workers", "name", "name", registryChips),
  "directory::registry::workers::info": registryWorker,
};

export const DIRECTORY_RENDERER: TriggerRenderer = {
  id: "iii-directory/page.js#directory",
  isMatch: (functionId) => Object.hasOwn(VIEWS, functionId),
  tryRender: (message) => {
    const view = viewOf(message);
    if (view === undefined || isUnsettled(message)) return null;
    const reply = unwrap(message.output);
    return typeof reply === "object" && reply !== null ? view(record(reply), record(unwrap(message.input))) : null;
  },
  tryRenderRunning: (message) => {
    if (viewOf(message) === undefined || isUnsettled(message)) return null;
    const request = record(unwrap(message.input));
    const name = text(request["id"]) || text(request["name"]) || text(request["worker"]) || text(request["repo"]);
    return (
      <article className="card" aria-busy="true">
        <Head verb="running…" {...(name === "" ? {} : { name })} chips={filters(request)} />
      </article>
    );
  },
  FunctionIdLabel: ({ functionId }) => (
    <span>
      <span className="dim">directory::</span>
      {functionId.replace(/^directory::/, "")}
    </span>
  ),
};

function viewOf({ functionId = "" }: TriggerMessage): View | undefined {
  return Object.hasOwn(VIEWS, functionId) ? VIEWS[functionId] : undefined;
}
