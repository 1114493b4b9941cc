/** Runs the bundle that build.js has made. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

process.setSourceMapsEnabled(true);
// What Node has compiled is kept for the next start. Where nothing can be written, nothing is.
enableCompileCache(join(import.meta.dirname, "dist/compile-cache"));
await import(pathToFileURL(join(import.meta.dirname, "dist/standalone.js")).href);
