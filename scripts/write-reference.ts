/** Writes the endpoint tables of `docs/reference`. */
import { readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { transformSync } from "esbuild";

// The routes lead to the login pages, and Node runs no `.tsx` by itself.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context);
    const { code } = transformSync(readFileSync(new URL(url), "utf8"), { loader: "tsx", jsx: "automatic", jsxImportSource: "preact" });
    return { format: "module", source: code, shortCircuit: true };
  },
});

const { referencePages } = await import("./reference.ts");
for (const { file, text } of referencePages()) {
  writeFileSync(join(import.meta.dirname, "../docs/reference", file), text);
  console.log(`docs/reference/${file}`);
}
