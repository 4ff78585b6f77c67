/**
 * The whole internal vocabulary: everything that one actor can ask of another is declared in `actors/<name>.ts` and listed here. If a
 * message isn't there, it doesn't exist.
 *
 * Every method has the same shape, `(request, context) => Promise<reply>`, on both sides of a border: an actor implements the
 * interface, a peer calls the same interface, and nobody needs a second, "remote" version of a type. Requests and replies are plain
 * data; a large array sits on a SharedArrayBuffer, because one that was moved could not be sent again after a restart.
 */
import { CATALOG_CONTRACT, type CatalogActor } from "./actors/catalog.js";
import { EMBEDDING_CONTRACT, type EmbeddingActor } from "./actors/embedding.js";
import { ENGINE_CONTRACT, type EngineActor } from "./actors/engine.js";
import { FS_CONTRACT, type FsActor } from "./actors/fs.js";
import { JEV_CONTRACT, type JevActor } from "./actors/jev.js";
import { REGISTRY_CONTRACT, type RegistryActor } from "./actors/registry.js";
import { SEARCH_CONTRACT, type SearchActor } from "./actors/search.js";
import type { SupervisorServices } from "./actors/services.js";
import { WATCHER_CONTRACT, type WatcherActor } from "./actors/watcher.js";
import type { ActorContract } from "./call.js";

export interface Actors {
  readonly catalog: CatalogActor;
  readonly embedding: EmbeddingActor;
  readonly engine: EngineActor;
  readonly fs: FsActor;
  readonly jev: JevActor;
  readonly registry: RegistryActor;
  readonly search: SearchActor;
  readonly watcher: WatcherActor;
}

export type ActorName = keyof Actors;

/** What an actor sees of the others, and of the supervisor. */
export type Peers = Actors & SupervisorServices;

/** One method of one actor: where a public function goes. */
export type ActorRoute = { readonly [Name in ActorName]: readonly [actor: Name, method: keyof Actors[Name] & string] }[ActorName];

export const CONTRACTS: { readonly [Name in ActorName]: ActorContract<Actors[Name]> } = {
  catalog: CATALOG_CONTRACT,
  embedding: EMBEDDING_CONTRACT,
  engine: ENGINE_CONTRACT,
  fs: FS_CONTRACT,
  jev: JEV_CONTRACT,
  registry: REGISTRY_CONTRACT,
  search: SEARCH_CONTRACT,
  watcher: WATCHER_CONTRACT,
};
