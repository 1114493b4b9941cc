/** Writes `docs/reference`, the types of the in-process API, the folder table of CONTRIBUTING.md, and `llms.txt`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { llms, llmsFile } from "./llms.ts";
import "./tsx.ts";

// Loaded after tsx.ts, because the routes import the login pages.
const { referencePages } = await import("./reference.ts");
for (const { file, text } of referencePages()) {
  writeFileSync(join(import.meta.dirname, "../docs/reference", file), text);
  console.log(`docs/reference/${file}`);
}

const { inProcessApi, inProcessApiFile } = await import("../packages/core/scripts/in-process-api.ts");
writeFileSync(join(import.meta.dirname, "..", inProcessApiFile), inProcessApi());
console.log(inProcessApiFile);

const { contributing, contributingFile } = await import("./contributing.ts");
writeFileSync(join(import.meta.dirname, "..", contributingFile), contributing());
console.log(contributingFile);

writeFileSync(join(import.meta.dirname, "..", llmsFile), llms());
console.log(llmsFile);
