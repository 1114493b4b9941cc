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
      sizes[`${name} with a password login`] = await sizeOf(join(folder, file), own, isOfLogin);
  }
  return sizes;
}

/** Files that a login with a password asks for later, as the build names them: parts of the Auth API (`auth/parts`), and the grant. */
const partsOfLogin = /\/(metadata|login|tokens|authorization-code)-\w+\.js$/;

/** The pages of that login. All pages have one name; the build says in each file which sources are in it. */
const pagesOfLogin = /^\/\/ src\/login\/steps\/(identifier|password)\/page\.tsx$/m;

const isOfLogin = (file: string): boolean => partsOfLogin.test(file) || pagesOfLogin.test(readFileSync(file, "utf8"));

/** @param later which of the files that are loaded later are counted as well. */
async function sizeOf(file: string, bundled: readonly string[], later: (file: string) => boolean = () => false): Promise<number> {
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
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint !== undefined && (resolve(entryPoint) === file || later(entryPoint))) load(output);
  const bytes = [...loaded].map((output) => contents.get(output.slice(output.lastIndexOf("/") + 1)) ?? new Uint8Array());
  return Math.ceil(gzipSync(Buffer.concat(bytes), { level: 9 }).length / 1000);
}
