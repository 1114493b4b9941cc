import { build } from "esbuild";

/**
 * Bundles a file of this repository from the packages' sources.
 * @param define names that the bundle replaces with values
 */
export async function bundleFile(entry: string, outfile: string, define: { readonly [name: string]: string } = {}): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".sql": "text" },
    external: ["bun:sqlite"],
    define,
    logLevel: "warning",
  });
}
