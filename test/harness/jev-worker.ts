/** A program: the worker of the product, whose judge is at `JEV_ENDPOINT`. The real one's address is fixed, so no setting leads here. */
import { startWorker } from "../../supervisor/main.js";

console.log = () => {};
console.debug = () => {};
const endpoint = process.env["JEV_ENDPOINT"];
const worker = await startWorker({ options: { jev: endpoint === undefined ? {} : { endpoint } } });
process.on("SIGTERM", () => void worker.stop().then(() => process.exit(0)));
process.stdout.write(`iii-directory is ready on ${worker.url}\n`);
