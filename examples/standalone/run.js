/** Runs the bundle that build.js created. */
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

process.setSourceMapsEnabled(true);
// Stores compiled code for the next start. Has no effect if the folder is not writable.
enableCompileCache(join(import.meta.dirname, "dist/compile-cache"));
await import(pathToFileURL(join(import.meta.dirname, "dist/standalone.js")).href);
