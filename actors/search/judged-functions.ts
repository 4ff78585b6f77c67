/** The functions in the form in which they are judged. Read again only when the catalog has changed: a large one is costly to copy. */
import type { CatalogActor, DescribedFunction } from "../../protocol/actors/catalog.js";
import type { JudgedDocument } from "../../protocol/actors/jev.js";
import type { CallContext } from "../../protocol/call.js";

export interface Described {
  /** Covers all that is judged: ids, first sentences, names of arguments. */
  readonly fingerprint: string;
  readonly known: ReadonlyMap<string, DescribedFunction>;
  readonly documents: readonly JudgedDocument[];
}

export class JudgedFunctions {
  readonly #catalog: Pick<CatalogActor, "describe">;
  #latest: Described | undefined;

  constructor(catalog: Pick<CatalogActor, "describe">) {
    this.#catalog = catalog;
  }

  /** As of the given fingerprint, or newer. */
  async asOf(fingerprint: string, context: CallContext): Promise<Described> {
    if (this.#latest?.fingerprint === fingerprint) return this.#latest;
    const { functions, fingerprint: read } = await this.#catalog.describe({}, context);
    this.#latest = {
      fingerprint: read,
      known: new Map(functions.map((entry) => [entry.functionId, entry])),
      documents: functions.map(({ functionId: id, description, parameterNames }) => ({ id, description, parameterNames })),
    };
    return this.#latest;
  }
}
