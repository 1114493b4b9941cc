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
    sourcemap: true,
    loader: { ".sql": "text" },
    ...options,
  });
