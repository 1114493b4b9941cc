/**
 * Checks every package in its published form: packs the output of `pnpm build`, checks the tarball, and starts a
 * service with the packages. Compares the exported values and types of every entry with `exports.json`. `--update`
 * writes that file instead.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { compareSnapshots, exportedNames, findDuplicates, type EntryManifest, type ExportSnapshot } from "./exported-names.ts";
import { tryPackages } from "./try-packages.ts";

const root = resolve(import.meta.dirname, "..");
const snapshotFile = join(import.meta.dirname, "exports.json");
const attw = "@arethetypeswrong/cli@0.18.5"; // only this check needs it, so it stays out of the install
const out = mkdtempSync(join(tmpdir(), "postern-pack-"));

interface Manifest extends EntryManifest {
  readonly repository?: { readonly directory?: string };
  readonly homepage?: string;
  readonly bugs?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Checks the files and the manifest in a tarball. It may contain only the build, the migrations and the documents. Its
 * manifest must have no source condition and no workspace protocol, and must name the repository.
 */
const manifestFaults = (tarball: string, folder: string): string[] => {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const strays = files.filter(
    (file) => !/^package\/(package\.json|LICENSE|README\.md|CHANGELOG\.md|dist\/.+\.(js|d\.ts)|src\/migrations\/\w+\/\w+\.sql)$/.test(file),
  );
  const text = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  const manifest = JSON.parse(text) as Manifest;
  const { exports, repository, homepage, bugs, dependencies, peerDependencies } = manifest;
  const sources = readdirSync(join(root, "packages", folder, "src"), { recursive: true, encoding: "utf8" });
  const migrations = sources.filter((path) => path.endsWith(".sql")).map((path) => `src/${path}`);
  return [
    ...strays.map((file) => `${file} does not belong in the tarball`),
    ...["LICENSE", "README.md", ...migrations]
      .filter((name) => !files.includes(`package/${name}`))
      .map((name) => `the tarball has no ${name}`),
    ...(homepage === undefined || bugs === undefined || repository?.directory !== `packages/${folder}`
      ? ["package.json must contain homepage, bugs, and repository with its directory"]
      : []),
    ...shortNames(tarball, files),
    ...missingTypes(tarball, files, manifest),
    ...(JSON.stringify(exports).includes("postern-source") ? ["the exports point to source files: publishConfig.exports is missing"] : []),
    ...Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([, range]) => range.includes(":"))
      .map(([name, range]) => `the version range of ${name} is ${range}`),
  ];
};

/** Finds imports of Node.js modules that lack the prefix `node:`, because other runtimes require it. */
const shortNames = (tarball: string, files: readonly string[]): string[] =>
  files
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => {
      const code = execFileSync("tar", ["-xzOf", tarball, file], { encoding: "utf8", maxBuffer: 16 * 1024 * 1024 });
      const names = [...code.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, name = ""]) => name);
      return names
        .filter((name) => builtinModules.includes(name) && !name.startsWith("node:"))
        .map((name) => `${file} imports "${name}" without node:`);
    });

/**
 * Finds types of packages that may not be installed. With `skipLibCheck: false`, an app without such a package does not
 * compile.
 */
const missingTypes = (tarball: string, files: readonly string[], manifest: Manifest): string[] => {
  const { name: self, dependencies = {}, peerDependencies = {}, peerDependenciesMeta: meta = {} } = manifest;
  const needed = Object.keys(peerDependencies).filter((name) => meta[name]?.optional !== true);
  const installed = new Set([self, ...Object.keys(dependencies), ...needed]);
  return files
    .filter((file) => file.endsWith(".d.ts"))
    .flatMap((file) => {
      // Examples in doc comments may import any package.
      const code = execFileSync("tar", ["-xzOf", tarball, file], { encoding: "utf8" }).replaceAll(/\/\*[\s\S]*?\*\//g, "");
      const names = [...code.matchAll(/(?:from |import\()['"]([^'"./][^'"]*)['"]/g)].map(([, name = ""]) => name);
      const packages = names
        .filter((name) => !name.startsWith("node:"))
        .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
      return [...new Set(packages)]
        .filter((name) => !installed.has(name))
        .map((name) => `${file} needs the types of ${name}, which may not be installed`);
    });
};

const typeFaults = (tarball: string): string[] => {
  try {
    execFileSync("pnpm", ["dlx", attw, tarball, "--profile", "esm-only", "--no-emoji"], { encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (failure) {
    return [(failure as { stdout: string }).stdout];
  }
};

let published: ExportSnapshot = {};
const faults: string[] = [];

try {
  for (const folder of readdirSync(join(root, "packages"))) {
    const pkgDir = join(root, "packages", folder);
    const manifest = JSON.parse(readFileSync(join(pkgDir, "package.json"), "utf8")) as Manifest;
    const packed = execFileSync("pnpm", ["pack", "--json", "--pack-destination", out], { cwd: pkgDir, encoding: "utf8" });
    const tarball = (JSON.parse(packed) as { filename: string }).filename;
    const { messages, pkg } = await publint({
      level: "warning",
      strict: true,
      pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    });
    const found = [
      ...manifestFaults(tarball, folder),
      ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
      ...typeFaults(tarball),
    ];
    faults.push(...found.map((fault) => `${manifest.name}: ${fault}`));
    const entries = exportedNames(pkgDir, manifest);
    published = { ...published, ...entries };
    faults.push(...findDuplicates(entries));
    const count = Object.values(entries).reduce((sum, { values, types }) => sum + values.length + types.length, 0);
    console.log(`${manifest.name}: ${found.length === 0 ? "no problems" : `${found.length} problems`}, ${count} exports`);
  }
} finally {
  rmSync(out, { recursive: true });
}

faults.push(...(await tryPackages()));

const snapshot = `${JSON.stringify(published, null, 2)}\n`;
if (process.argv.includes("--update")) writeFileSync(snapshotFile, snapshot);
else if (snapshot !== readFileSync(snapshotFile, "utf8")) {
  faults.push(...compareSnapshots(JSON.parse(readFileSync(snapshotFile, "utf8")) as ExportSnapshot, published));
  faults.push("the exports differ from scripts/exports.json: if this is intended, run `npx pnpm@12 check:update` and commit the file");
}
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
}
