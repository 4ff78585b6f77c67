import { serveExample } from "../example.js";
import { Downloader } from "./download.js";
import { webOffers } from "./functions.js";

await serveExample({
  name: "web",
  description: "Reads the public web within safe limits: pages, JSON answers, links, headers",
  offers: webOffers(new Downloader()),
});
