/** Settings with the form that the worker injects: this side keeps the draft, checks, saves and resets. */
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { type Bus, messageOf } from "../host.js";
import type { Contributions } from "./console.js";
import { Scope } from "./scope.js";

const ID = "iii-directory";
type Value = Record<string, unknown>;

interface Stored {
  readonly value?: Value | null;
}

interface Bounds {
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
}

/** What the schema says against single fields; the worker that owns the entry checks the whole. */
function check(schema: unknown, value: Value): Map<string, string> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Bounds> };
  const faults = new Map<string, string>();
  for (const [name, each] of Object.entries(value)) {
    const fault = faultOf(properties[name] ?? {}, each);
    if (fault !== undefined) faults.set(`/${name}`, fault);
  }
  return faults;
}

function faultOf({ type, minimum, maximum, minLength, pattern }: Bounds, value: unknown): string | undefined {
  const types = type === undefined ? [] : [type].flat();
  if (value === null) return types.length === 0 || types.includes("null") ? undefined : "must not be null";
  if (typeof value === "number") {
    if (types.includes("integer") && !Number.isInteger(value)) return "must be a whole number";
    if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
    return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
  }
  if (typeof value !== "string") return undefined;
  const isBlank = value.length < (minLength ?? 0) || (pattern !== undefined && !new RegExp(pattern).test(value));
  return isBlank ? "must not be blank" : undefined;
}

export function SettingsPage({ bus, contributions }: { readonly bus: Bus; readonly contributions: Contributions }): ReactNode {
  const [stored, setStored] = useState<Value>();
  const [draft, setDraft] = useState<Value>({});
  const [schema, setSchema] = useState<unknown>();
  const [message, setMessage] = useState("");
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const load = useCallback(async () => {
    try {
      const [entry, described] = await Promise.all([
        // As stored: a placeholder of the environment must not be replaced by what it stands for.
        bus.trigger<Stored>("configuration::get", { id: ID, raw: true }),
        bus.trigger<{ schema?: unknown }>("configuration::schema", { id: ID }).catch(() => ({})),
      ]);
      setStored(entry.value ?? {});
      setDraft(entry.value ?? {});
      setSchema((described as { schema?: unknown }).schema);
    } catch (error) {
      setMessage(messageOf(error));
    }
  }, [bus]);
  useEffect(() => void load(), [load]);
  const isDirty = stored !== undefined && JSON.stringify(stored) !== JSON.stringify(draft);
  const change = (next: Value): void => {
    setDraft(next);
    setErrors(check(schema, next));
    setMessage("");
  };
  const save = async (): Promise<void> => {
    const faults = check(schema, draft);
    setErrors(faults);
    if (faults.size > 0) return;
    try {
      await bus.trigger("configuration::set", { id: ID, value: draft });
      setStored(draft);
      setMessage("Saved.");
    } catch (error) {
      setErrors(new Map([["", messageOf(error)]]));
    }
  };
  const registered = contributions.forms.get(ID);
  return (
    <div className="shell-page">
      <div className="shell-title">
        <h1>Settings</h1>
        <span role="status">{isDirty ? "unsaved" : message}</span>
        <span className="shell-grow" />
        <button type="button" disabled={!isDirty} onClick={() => change(stored ?? {})}>
          Reset
        </button>
        <button type="button" className="shell-primary" disabled={!isDirty || errors.size > 0} onClick={() => void save()}>
          Save
        </button>
      </div>
      <h2 className="shell-hidden">Settings of the directory</h2>
      {registered !== undefined && stored !== undefined && (
        <Scope name={registered.scope}>
          <registered.Form id={ID} schema={schema} value={draft} onChange={change} errors={errors} />
        </Scope>
      )}
    </div>
  );
}
