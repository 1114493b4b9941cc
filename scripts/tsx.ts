import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { transformSync } from "esbuild";

/** Lets Node.js load the login pages, which are `.tsx` files, in all modules that are imported after this one. */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context);
    const { code } = transformSync(readFileSync(new URL(url), "utf8"), { loader: "tsx", jsx: "automatic", jsxImportSource: "preact" });
    return { format: "module", source: code, shortCircuit: true };
  },
});
