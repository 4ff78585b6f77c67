/** `configuration::*`. There is no way to delete an entry but to delete its file. */
import { Type } from "typebox";
import { type BuiltinFunction, CONFIGURATION_WORKER, defineBuiltin } from "../builtin.js";
import { optional } from "../frames.js";
import type { ConfigurationStore, Entry } from "./store.js";

const TEXT = Type.String();
const ANY = Type.Unknown();

export function configurationFunctions(store: ConfigurationStore): BuiltinFunction[] {
  const worker = CONFIGURATION_WORKER;
  return [
    defineBuiltin({
      id: "configuration::register",
      worker,
      description: "Registers a configuration with its schema. An initial value replaces what is stored.",
      request: Type.Object({
        id: TEXT,
        name: TEXT,
        description: TEXT,
        schema: ANY,
        initial_value: Type.Optional(ANY),
        metadata: Type.Optional(ANY),
      }),
      run: ({ initial_value: initialValue, ...input }) => store.register({ ...input, initialValue }),
    }),
    defineBuiltin({
      id: "configuration::set",
      worker,
      description: "Replaces the value of a registered configuration, when it fits the schema.",
      request: Type.Object({ id: TEXT, value: ANY }),
      run: ({ id, value }) => store.set(id, value),
    }),
    defineBuiltin({
      id: "configuration::get",
      worker,
      description: "Reads a value with its placeholders replaced, or as it is stored.",
      request: Type.Object({ id: TEXT, raw: optional(Type.Boolean()) }),
      run: ({ id, raw }) => ({ id, value: store.get(id, raw ?? false) }),
    }),
    defineBuiltin({
      id: "configuration::list",
      worker,
      description: "Lists the configurations with their schemas, without values.",
      request: Type.Object({}),
      run: () => ({ configurations: store.entries().map(withoutValue) }),
    }),
    defineBuiltin({
      id: "configuration::schema",
      worker,
      description: "Describes one configuration with its schema, without its value.",
      request: Type.Object({ id: TEXT }),
      run: ({ id }) => withoutValue(store.entry(id)),
    }),
  ];
}

function withoutValue({ value: _, ...row }: Entry): object {
  return row;
}
