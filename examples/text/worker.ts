import { serveExample } from "../example.js";
import { textOffers } from "./functions.js";

await serveExample({ name: "text", description: "Tools for text: count, compare, replace, encode, extract", offers: textOffers() });
