/** The card of a search in a transcript, and on the search page of our own console. */
import type { ReactNode } from "react";
import { markedText } from "../hidden-characters.js";
import type { TriggerMessage, TriggerRenderer } from "../host.js";
import { Marked } from "../invisible.js";
import { Chip, CopyLine, Icon } from "../ui.js";
import { type Candidate, parseCapabilities, parseSearch, type SearchAnswer } from "./parse.js";

export const SEARCH_FUNCTION = "directory::search_functions";

export const SEARCH_RENDERER: TriggerRenderer = {
  id: "iii-directory/page.js#search",
  isMatch: (functionId) => functionId === SEARCH_FUNCTION,
  tryRender: (message) => {
    if (isUnsettled(message)) return null;
    const answer = parseSearch(message.output);
    return answer === null ? null : <SearchCard answer={answer} capabilities={parseCapabilities(message.input)} />;
  },
  tryRenderRunning: (message) => {
    const capabilities = parseCapabilities(message.input);
    if (isUnsettled(message) || capabilities.length === 0) return null;
    return (
      <div className="card">
        <div className="card-head">
          <Icon name="search" />
          <strong>searching…</strong>
        </div>
        <Capabilities capabilities={capabilities} />
      </div>
    );
  },
};

/** A call that waits for approval, or failed: the console's own views say more about those. */
export function isUnsettled({ status, error, isError }: TriggerMessage): boolean {
  return (error !== undefined && error !== null) || isError === true || /pending|approval|denied/i.test(status ?? "");
}

/** More than any search of ours answers; a card that is longer makes a transcript slow and tells nobody more. */
const MOST_ROWS = 50;

function More({ of: rows }: { readonly of: readonly unknown[] }): ReactNode {
  return rows.length > MOST_ROWS && <p className="hint">and {rows.length - MOST_ROWS} more</p>;
}

interface SearchCardProps {
  readonly answer: SearchAnswer;
  readonly capabilities: readonly string[];
}

export function SearchCard({ answer, capabilities }: SearchCardProps): ReactNode {
  const { workers, installable, skills, triggers, guidance, mode, latencyMs } = answer;
  const functions = workers.reduce((sum, worker) => sum + worker.functions.length, 0);
  const isEmpty = workers.length + installable.length + skills.length + triggers.length === 0;
  return (
    <article className="card search-card" aria-label="Search of functions">
      <div className="card-head">
        <Icon name="search" />
        <Chip tone="accent">{mode === undefined ? "search" : <Marked text={mode} />}</Chip>
        <Count count={workers.length} noun="worker" />
        <Count count={functions} noun="function" />
        {installable.length > 0 && <Count count={installable.length} noun="installable" plural="installable" />}
        {skills.length > 0 && <Count count={skills.length} noun="skill" />}
        {triggers.length > 0 && <Count count={triggers.length} noun="trigger" />}
        <span className="grow" />
        <span className="latency">{Math.round(latencyMs)} ms</span>
      </div>
      <Capabilities capabilities={capabilities} />
      {isEmpty && (
        <div className="empty">
          <p>Nothing fits.</p>
          <p className="hint">
            <Marked text={guidance} />
          </p>
        </div>
      )}
      {workers.slice(0, MOST_ROWS).map(({ namespace, functions: rows }) => (
        <section key={namespace} className="card-section">
          <h3>
            <Icon name="bolt" /> <Marked text={namespace} />
          </h3>
          <Candidates rows={rows} />
        </section>
      ))}
      <More of={workers} />
      <Installable answer={answer} />
      <Skills answer={answer} />
      <Triggers answer={answer} />
      {!isEmpty && (
        <details className="guidance">
          <summary>Guidance</summary>
          <p>
            <Marked text={guidance} />
          </p>
        </details>
      )}
    </article>
  );
}

function Count({
  count,
  noun,
  plural = `${noun}s`,
}: {
  readonly count: number;
  readonly noun: string;
  readonly plural?: string;
}): ReactNode {
  return (
    <span className="counter">
      <b>{count}</b> {count === 1 ? noun : plural}
    </span>
  );
}

function Capabilities({ capabilities }: { readonly capabilities: readonly string[] }): ReactNode {
  if (capabilities.length === 0) return null;
  return (
    <ul className="capabilities" aria-label="Capabilities">
      {[...new Set(capabilities)].map((capability) => (
        <li key={capability}>
          <Marked text={capability} />
        </li>
      ))}
    </ul>
  );
}

function Candidates({ rows }: { readonly rows: readonly Candidate[] }): ReactNode {
  return (
    <>
      <ul className="candidates">
        {rows.slice(0, MOST_ROWS).map(({ function_id, description }) => (
          <li key={function_id}>
            <details>
              <summary>
                <code>
                  <Marked text={function_id} />
                </code>
                <span className="candidate-line">
                  <Marked text={description} />
                </span>
              </summary>
              <p>{description === "" ? "It has no description." : <Marked text={description} />}</p>
            </details>
          </li>
        ))}
      </ul>
      <More of={rows} />
    </>
  );
}

function Installable({ answer: { installable } }: { readonly answer: SearchAnswer }): ReactNode {
  return (
    <>
      {installable.slice(0, MOST_ROWS).map(({ name, version, description, functions }) => (
        <section key={name} className="card-section">
          <h3>
            <Icon name="box" /> <Marked text={name} /> <Chip>{markedText(version)}</Chip> <Chip tone="warn">not installed</Chip>
          </h3>
          <p className="hint">
            <Marked text={description} />
          </p>
          <Candidates rows={functions} />
          <CopyLine text={`compose::add ${JSON.stringify({ worker: name })}`} label="Copy the install call" />
        </section>
      ))}
      <More of={installable} />
    </>
  );
}

function Skills({ answer: { skills } }: { readonly answer: SearchAnswer }): ReactNode {
  if (skills.length === 0) return null;
  return (
    <section className="card-section">
      <h3>
        <Icon name="file" /> Skills
      </h3>
      <ul className="candidates">
        {skills.slice(0, MOST_ROWS).map(({ id, title, description }) => (
          <li key={id}>
            <p>
              <strong>
                <Marked text={title || id} />
              </strong>{" "}
              <span className="hint">
                <Marked text={description} />
              </span>
            </p>
            <CopyLine text={`directory::skills::get ${JSON.stringify({ id })}`} label="Copy the call that reads it" />
          </li>
        ))}
      </ul>
      <More of={skills} />
    </section>
  );
}

function Triggers({ answer: { triggers } }: { readonly answer: SearchAnswer }): ReactNode {
  if (triggers.length === 0) return null;
  return (
    <section className="card-section">
      <h3>
        <Icon name="bolt" /> Registered triggers
      </h3>
      <ul className="candidates">
        {triggers.slice(0, MOST_ROWS).map(({ id, trigger_type, function_id, worker_name, config }) => (
          <li key={id}>
            <p>
              <code>
                <Marked text={trigger_type} />
              </code>{" "}
              →{" "}
              <code>
                <Marked text={function_id} />
              </code>
              {worker_name !== undefined && (
                <span className="hint">
                  {" "}
                  · <Marked text={worker_name} />
                </span>
              )}
            </p>
            <code className="config">
              <Marked text={JSON.stringify(config) ?? "null"} />
            </code>
            <CopyLine
              text={`engine::functions::info ${JSON.stringify({ function_ids: [function_id] })}`}
              label="Copy the call that reads its contract"
            />
          </li>
        ))}
      </ul>
      <More of={triggers} />
    </section>
  );
}
