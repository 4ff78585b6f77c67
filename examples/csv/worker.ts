import { serveExample } from "../example.js";
import { csvOffers } from "./functions.js";

await serveExample({
  name: "csv",
  description: "Tables as comma-separated text: parse, filter, sort, add up",
  offers: csvOffers(),
});
