/** `directory::search_functions` and the push that keeps its catalog fresh. */
import { type Static, Type } from "typebox";
import type { FunctionDefinition } from "./definition.js";

export const SearchFunctionsRequest = Type.Object(
  {
    capabilities: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      uniqueItems: true,
      description: "Needs that a function outside the model could meet.",
    }),
  },
  { title: "SearchFunctionsRequest" },
);
export type SearchFunctionsRequest = Static<typeof SearchFunctionsRequest>;

const FunctionRow = Type.Object({ function_id: Type.String(), description: Type.String() });

export const SearchFunctionsResponse = Type.Object(
  {
    guidance: Type.String(),
    workers: Type.Array(Type.Object({ namespace: Type.String(), functions: Type.Array(FunctionRow) })),
    search_mode: Type.Union([Type.Literal("jev"), Type.Literal("hybrid"), Type.Literal("lexical")]),
    latency_ms: Type.Number(),
  },
  { title: "SearchFunctionsResponse" },
);
export type SearchFunctionsResponse = Static<typeof SearchFunctionsResponse>;

export const SEARCH_FUNCTIONS: readonly FunctionDefinition[] = [
  {
    id: "directory::search_functions",
    description: "Finds functions for needs.",
    request: SearchFunctionsRequest,
    accepts: Type.Object({ capabilities: Type.Array(Type.String()) }),
    response: SearchFunctionsResponse,
    route: ["search", "searchFunctions"],
  },
];
