/** Yardsticks of the round trip, as a process: a worker that answers frames with what came, by hand and by the SDK. */
import { registerWorker } from "iii-sdk";
import { eventually, Peer } from "../test/harness/peer.js";

const [url = ""] = process.argv.slice(2);
const raw = await Peer.hello(url, "echo-raw");
await raw.serve("echo-raw::echo", (data) => data);

const worker = registerWorker(url, { workerName: "echo-sdk", enableMetricsReporting: false, otel: { enabled: false } });
worker.registerFunction("echo-sdk::echo", async (data) => data);
const answers = (): Promise<boolean> => worker.trigger({ function_id: "echo-sdk::echo", payload: {} }).then(Boolean, () => false);
await eventually("the echo of the SDK", answers);
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
