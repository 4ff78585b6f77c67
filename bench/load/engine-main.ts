/** A program: the embedded engine, which looks for changed functions so often that its pause says nothing about the directory. */
import { startTestEngine } from "../../test/harness/engine.js";
import { temporaryFolder } from "../../test/harness/temporary.js";

const engine = await startTestEngine({ functionsPollMs: 20, configurationDirectory: temporaryFolder() });
process.send?.({ url: engine.url });
process.on("disconnect", () => process.exit(0));
