/** Writes the endpoint tables of `docs/reference`, and the types of the in-process API. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import "./tsx.ts";

// The routes lead to the login pages.
const { referencePages } = await import("./reference.ts");
for (const { file, text } of referencePages()) {
  writeFileSync(join(import.meta.dirname, "../docs/reference", file), text);
  console.log(`docs/reference/${file}`);
}

const { inProcessApi, inProcessApiFile } = await import("../packages/core/scripts/in-process-api.ts");
writeFileSync(join(import.meta.dirname, "..", inProcessApiFile), inProcessApi());
console.log(inProcessApiFile);
