/** Which functions the engine has: what is installed can't be offered for installation. */
import type { CatalogActor } from "../../../protocol/actors/catalog.js";
import type { CallContext } from "../../../protocol/call.js";

export interface Installed {
  readonly fingerprint: string;
  readonly functionIds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Read again only when the catalog has changed: the list of a large catalog is costly to copy. */
export class InstalledFunctions {
  readonly #catalog: Pick<CatalogActor, "snapshot">;
  #latest: Installed | undefined;

  constructor(catalog: Pick<CatalogActor, "snapshot">) {
    this.#catalog = catalog;
  }

  /** As of a search not long ago. */
  async recent(context: CallContext): Promise<Installed> {
    return this.#latest ?? this.#read(context);
  }

  /** As of the given fingerprint, or newer. */
  async asOf(fingerprint: string, context: CallContext): Promise<Installed> {
    return this.#latest?.fingerprint === fingerprint ? this.#latest : this.#read(context);
  }

  async #read(context: CallContext): Promise<Installed> {
    const { fingerprint, functionIds, namespaces } = await this.#catalog.snapshot({}, context);
    this.#latest = { fingerprint, functionIds: new Set(functionIds), namespaces: new Set(namespaces) };
    return this.#latest;
  }
}
