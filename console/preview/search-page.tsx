/** Asks the directory as an agent would and shows the answer with the card that a transcript would show. */
import { type ReactNode, useState } from "react";
import { type Bus, messageOf } from "../host.js";
import type { Contributions } from "./console.js";
import { Scope } from "./scope.js";

const SEARCH = "directory::search_functions";
const SCORES = "iii-directory::search::scores";
const EXAMPLE = "store a value under a key and read it back";

interface Scores {
  readonly search_mode: string;
  readonly lanes: readonly {
    readonly capability: string;
    readonly functions: readonly { readonly function_id: string; readonly score: number }[];
  }[];
}

export function SearchPage({ bus, contributions }: { readonly bus: Bus; readonly contributions: Contributions }): ReactNode {
  const [text, setText] = useState(EXAMPLE);
  const [asked, setAsked] = useState<{ readonly capabilities: readonly string[]; readonly output: unknown }>();
  const [scores, setScores] = useState<Scores>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const capabilities = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const search = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    setScores(undefined);
    try {
      setAsked({ capabilities, output: await bus.trigger(SEARCH, { capabilities }) });
    } catch (reason) {
      setAsked(undefined);
      setError(messageOf(reason));
    } finally {
      setBusy(false);
    }
  };
  const explain = async (): Promise<void> => {
    if (asked === undefined) return;
    try {
      setScores(await bus.trigger<Scores>(SCORES, { capabilities: asked.capabilities }));
    } catch (reason) {
      setError(messageOf(reason));
    }
  };
  return (
    <div className="shell-page">
      <h1>Search</h1>
      <form
        className="shell-search"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <label htmlFor="capabilities">What is needed, one need a line</label>
        <textarea
          id="capabilities"
          rows={3}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void search();
          }}
        />
        <button type="submit" className="shell-primary" disabled={isBusy || capabilities.length === 0}>
          {isBusy ? "Searching…" : "Search"}
        </button>
      </form>
      {error !== undefined && (
        <p className="shell-notice" role="alert">
          {error}
        </p>
      )}
      {asked !== undefined && <h2 className="shell-hidden">Answer</h2>}
      {asked !== undefined && <Answer contributions={contributions} {...asked} />}
      {asked !== undefined && scores === undefined && (
        <button type="button" onClick={() => void explain()}>
          Show the scores
        </button>
      )}
      {scores?.lanes.map((lane) => (
        <section key={lane.capability} className="shell-scores">
          <h2>{lane.capability}</h2>
          {lane.functions.length === 0 && <p>Nothing fits.</p>}
          <ol>
            {lane.functions.map(({ function_id, score }) => (
              <li key={function_id}>
                <code>{function_id}</code> <span>{score.toFixed(3)}</span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface AnswerProps {
  readonly contributions: Contributions;
  readonly capabilities: readonly string[];
  readonly output: unknown;
}

function Answer({ contributions, capabilities, output }: AnswerProps): ReactNode {
  for (const { scope, renderer } of contributions.renderers) {
    if (!renderer.isMatch(SEARCH)) continue;
    const card = renderer.tryRender({ functionId: SEARCH, status: "done", input: { capabilities }, output });
    if (card !== null) return <Scope name={scope}>{card}</Scope>;
  }
  return <pre>{JSON.stringify(output, null, 2)}</pre>;
}
