import { openCollection } from "../collection.js";
import { serveExample } from "../example.js";
import { type Entry, entryKey, keyvalueOffers } from "./functions.js";

await serveExample({
  name: "keyvalue",
  description: "Key-value store on the disk: values under keys in scopes, counters, conditional writes",
  offers: keyvalueOffers(openCollection<Entry>("keyvalue", entryKey)),
});
