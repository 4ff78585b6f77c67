/** A program, `npm run mock:registry [-- PORT]`: a workers registry with a few workers, to point `registry_url` at. */
import { RegistryServer } from "./registry-server.js";

const skill = (name: string, text: string) => ({
  path: "skills/SKILL.md",
  content: `---\nname: ${name}\ndescription: ${text}\n---\n# ${name}\n\n${text}\n`,
});

const server = await RegistryServer.start(
  [
    {
      name: "tides",
      description: "Knows when the water is high.",
      version: "1.2.0",
      functions: [
        {
          name: "tides::next",
          description: "Returns the time of the next high tide.",
          request_schema: { properties: { harbour: {} } },
        },
      ],
      skills: [skill("tides", "How to ask for tides.")],
    },
    {
      name: "mailer",
      description: "Sends mail.",
      functions: [{ name: "mailer::send", description: "Sends an email message to a recipient." }],
      skills: [
        skill("mailer", "How to send mail."),
        { path: "agents/postman.md", content: "---\nname: Postman\n---\nYou carry letters.\n" },
      ],
    },
    { name: "iii", description: "The engine.", skills: [skill("iii", "How the engine works.")] },
  ],
  Number(process.argv[2] ?? 49_180),
);
console.log(`a workers registry answers at ${server.url}`);
