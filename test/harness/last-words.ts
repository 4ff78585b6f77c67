/** A program: a toy says something and dies at once. Whether it is read on standard error is field fault T6. */
import { newContext } from "./context.js";
import { newToy } from "./toy.js";

const { handle } = newToy("error");
await handle.ready;
await handle.call("write", { deed: "log and exit" }, newContext()).catch(() => {});
await handle.stop();
