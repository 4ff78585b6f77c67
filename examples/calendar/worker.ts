import { openCollection } from "../collection.js";
import { serveExample } from "../example.js";
import { type Appointment, calendarOffers } from "./functions.js";

await serveExample({
  name: "calendar",
  description: "Calendar on the disk: appointments, free time, reckoning with dates",
  offers: calendarOffers(openCollection<Appointment>("calendar", ({ id }) => id)),
});
