import { defineConfig, type Options } from "tsup";

/** The build options of every package. The tsup.config.ts of a package contains only its differences. */
export const library = (options: Options = {}) =>
  defineConfig({
    entry: ["src/index.ts"],
    format: "esm",
    platform: "neutral",
    target: "es2023",
    dts: true,
    clean: true,
    // The published code is not minified. Source maps would be most of the tarball and add little information.
    sourcemap: false,
    // Some runtimes support Node.js modules only with the prefix `node:`.
    removeNodeProtocol: false,
    loader: { ".sql": "text" },
    ...options,
  });
