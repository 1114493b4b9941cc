import { defineConfig, type Options } from "tsup";

/** How every package of the workspace is built; a package's own tsup.config.ts says only what differs. */
export const library = (options: Options = {}) =>
  defineConfig({
    entry: ["src/index.ts"],
    format: "esm",
    platform: "neutral",
    target: "es2023",
    dts: true,
    clean: true,
    // What is published is not minified: maps would be most of the tarball, and tell little more than the code.
    sourcemap: false,
    // Some runtimes know Node's modules by their full names alone.
    removeNodeProtocol: false,
    loader: { ".sql": "text" },
    ...options,
  });
