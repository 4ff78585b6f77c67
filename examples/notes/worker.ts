import { openCollection } from "../collection.js";
import { serveExample } from "../example.js";
import { type Note, notesOffers } from "./functions.js";

await serveExample({
  name: "notes",
  description: "Notebook on the disk: write, read, search and tag notes",
  offers: notesOffers(openCollection<Note>("notes", ({ id }) => id)),
});
