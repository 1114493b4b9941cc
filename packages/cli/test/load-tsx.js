/**
 * Lets Node.js load the packages from their sources: core's pages and kysely's migrations. Node.js strips types but does
 * not support JSX, and does not load SQL.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

registerHooks({
  load(url, context, nextLoad) {
    if (url.endsWith(".sql")) return loaded(`export default ${JSON.stringify(readFileSync(fileURLToPath(url), "utf8"))};`);
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    const source = readFileSync(fileURLToPath(url), "utf8");
    return loaded(transformSync(source, { loader: "tsx", format: "esm", jsx: "automatic", jsxImportSource: "preact" }).code);
  },
});

function loaded(source) {
  return { format: "module", source, shortCircuit: true };
}
