import { DirectoryError } from "../../protocol/errors.js";
import { run } from "../runtime.js";

await run("jev", async () => ({
  judge: async () => {
    throw new DirectoryError("invalid_request", "no remote judge");
  },
}));
