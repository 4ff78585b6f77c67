/** A program, `npm run mock:git -- FOLDER`: serves the git repositories below a folder over HTTP. */
import { resolve } from "node:path";
import { gitHttpServer } from "./git-fixture.js";

const folder = resolve(process.argv[2] ?? ".");
const { url } = await gitHttpServer(folder);
console.log(`the repositories below ${folder} are at ${url}<name>/.git`);
console.log(`for a download: git config --global url."${url}".insteadOf https://fixture.test/`);
