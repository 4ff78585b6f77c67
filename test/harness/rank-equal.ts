/** A program: prints the order of ten functions with one text, registered in an order that its argument turns. Field fault S22. */
import { catalogOf, registered } from "./catalogue.js";
import { newContext } from "./context.js";

const shift = Number(process.argv[2]);
const ids = Array.from({ length: 10 }, (_, at) => `w${(at * 7 + shift) % 10}::same`);
const { catalog } = await catalogOf(
  ids.map((id) => ({ ...registered(id, "Turn the valve to a new position."), worker: "valves" })),
);
const { lanes } = await catalog.rank({ lanes: ["turn the valve"] }, newContext());
for (const { functionId } of lanes[0]?.rows ?? []) process.stdout.write(`${functionId}\n`);
