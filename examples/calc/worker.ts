import { serveExample } from "../example.js";
import { calcOffers } from "./functions.js";

await serveExample({
  name: "calc",
  description: "Calculator: expressions, units, statistics, random numbers",
  offers: calcOffers(),
});
