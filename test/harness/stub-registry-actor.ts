/** A thread in the place of the registry: it has one worker that sends mail. */
import { run } from "../../actors/runtime.js";
import type { RegistryActor } from "../../protocol/actors/registry.js";

const MAILER = {
  name: "mailer",
  version: "1.0.0",
  description: "Sends mail.",
  functions: [{ functionId: "mailer::send", description: "Send an email message to many.", parameterNames: [] }],
};

await run("registry", async () => {
  const offered: Pick<RegistryActor, "installable"> = {
    installable: async ({ batches }) => ({ batches: batches.map(() => [MAILER]) }),
  };
  return offered as RegistryActor;
});
