import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

/** A published package, as its manifest says in the repository. */
export interface Entries {
  readonly name: string;
  readonly publishConfig?: { readonly exports?: { readonly [entry: string]: unknown } };
  readonly dependencies?: { readonly [name: string]: string };
}

/**
 * How large each entry of a package is where it is loaded: minified and compressed, in kB of 1000 bytes, with its dependencies but without other packages of ours and without its peers.
 * What is loaded only when it is asked for is not counted; of core a second figure has what is loaded when somebody signed in with a password and has tokens.
 * @param folder where the package is, built.
 */
export async function sizesOf(
  folder: string,
  { name, publishConfig, dependencies = {} }: Entries,
): Promise<Readonly<Record<string, number>>> {
  const sizes: Record<string, number> = {};
  for (const [entry, target] of Object.entries(publishConfig?.exports ?? {})) {
    const file = typeof target === "object" && target !== null && "default" in target ? String(target.default) : "";
    if (!file.endsWith(".js")) continue;
    const own = Object.keys(dependencies).filter((dependency) => !dependency.startsWith("@postern/"));
    sizes[name + entry.slice(1)] = await sizeOf(join(folder, file), own);
    if (name === "@postern/core" && entry === ".")
      sizes[`${name} with a password login`] = await sizeOf(join(folder, file), own, partsOfLogin);
  }
  return sizes;
}

/** What a login with a password asks for later, by its sources: the build says in each file which ones are in it. */
const partsOfLogin = [
  "src/auth/parts/metadata.ts",
  "src/auth/parts/login.ts",
  "src/auth/parts/tokens.ts",
  "src/auth/grants/authorization-code.ts",
  "src/login/steps/identifier/page.tsx",
  "src/login/steps/password/page.tsx",
];

/** @param later sources whose files are counted as well, though they are loaded later. @throws where one is in no file. */
async function sizeOf(file: string, bundled: readonly string[], later: readonly string[] = []): Promise<number> {
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "node",
    outdir: "sizes",
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [
      {
        name: "own-dependencies",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
            const [scope = "", rest = ""] = path.split("/", 2);
            const dependency = scope.startsWith("@") ? `${scope}/${rest}` : scope;
            // What a dependency needs itself comes with that.
            const comes = kind === "entry-point" || bundled.includes(dependency) || importer.includes("node_modules");
            return comes && !dependency.startsWith("@postern/") ? undefined : { path, external: true };
          }),
      },
    ],
  });
  const contents = new Map(outputFiles.map(({ path, contents: bytes }) => [path.slice(path.lastIndexOf("/") + 1), bytes]));
  const loaded = new Set<string>();
  const load = (output: string): void => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path, kind } of metafile.outputs[output]?.imports ?? []) {
      if (kind === "import-statement" && metafile.outputs[path] !== undefined) load(path);
    }
  };
  // Paths there are relative to where this runs. What is imported later is an entry point as well.
  const missing = new Set(later);
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint === undefined) continue;
    const text = later.length === 0 ? "" : readFileSync(entryPoint, "utf8");
    const named = later.filter((source) => text.includes(`// ${source}\n`));
    for (const source of named) missing.delete(source);
    if (resolve(entryPoint) === file || named.length > 0) load(output);
  }
  if (missing.size > 0) throw new Error(`no file of the build says that it holds ${[...missing].join(", ")}`);
  const bytes = [...loaded].map((output) => contents.get(output.slice(output.lastIndexOf("/") + 1)) ?? new Uint8Array());
  return Math.ceil(gzipSync(Buffer.concat(bytes), { level: 9 }).length / 1000);
}
