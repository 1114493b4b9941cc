/**
 * Looks at every package as its users will get it: packs what `pnpm build` made, checks the tarball, and lets the packages serve.
 * `--update` accepts the present export names instead of comparing them.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { tryPackages } from "./try-packages.ts";

const root = resolve(import.meta.dirname, "..");
const snapshotFile = join(import.meta.dirname, "exports.json");
const attw = "@arethetypeswrong/cli@0.18.5"; // only this check needs it, so it stays out of the install
const require = createRequire(import.meta.url);
const out = mkdtempSync(join(tmpdir(), "postern-pack-"));

interface Manifest {
  readonly name: string;
  readonly exports: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What pnpm wrote into the tarball: no source condition, no workspace protocol, nothing but the build and its papers. */
const manifestFaults = (tarball: string): string[] => {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const strays = files.filter((file) => !/^package\/(package\.json|LICENSE|README\.md|CHANGELOG\.md|dist\/.+)$/.test(file));
  const text = execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" });
  const { exports, dependencies, peerDependencies } = JSON.parse(text) as Manifest;
  return [
    ...strays.map((file) => `${file} does not belong into the tarball`),
    ...["LICENSE", "README.md"].filter((name) => !files.includes(`package/${name}`)).map((name) => `the tarball has no ${name}`),
    ...(JSON.stringify(exports).includes("postern-source") ? ["exports name the source: publishConfig.exports is missing"] : []),
    ...Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([, range]) => range.includes(":"))
      .map(([name, range]) => `${name} is wanted as ${range}`),
  ];
};

const typeFaults = (tarball: string): string[] => {
  try {
    execFileSync("pnpm", ["dlx", attw, tarball, "--profile", "esm-only", "--no-emoji"], { encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (failure) {
    return [(failure as { stdout: string }).stdout];
  }
};

const published: Record<string, string[]> = {};
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
      ...manifestFaults(tarball),
      ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
      ...typeFaults(tarball),
    ];
    faults.push(...found.map((fault) => `${manifest.name}: ${fault}`));
    // `require`, because that must work too: it refuses a module with a top-level await.
    published[manifest.name] = Object.keys(require(manifest.name) as object).sort();
    console.log(
      `${manifest.name}: ${found.length === 0 ? "in order" : `${found.length} faults`}, ${published[manifest.name]?.length} exports`,
    );
  }
} finally {
  rmSync(out, { recursive: true });
}

faults.push(...(await tryPackages()));

const snapshot = `${JSON.stringify(published, null, 2)}\n`;
if (process.argv.includes("--update")) writeFileSync(snapshotFile, snapshot);
else if (snapshot !== readFileSync(snapshotFile, "utf8")) {
  const known = JSON.parse(readFileSync(snapshotFile, "utf8")) as Record<string, string[]>;
  for (const name of new Set([...Object.keys(known), ...Object.keys(published)])) {
    const [before, now] = [known[name] ?? [], published[name] ?? []];
    for (const gone of before.filter((one) => !now.includes(one))) faults.push(`${name}: no longer exports ${gone}`);
    for (const more of now.filter((one) => !before.includes(one))) faults.push(`${name}: now exports ${more}`);
  }
  faults.push("the exports are not those of scripts/exports.json: if that is meant, run `npx pnpm@12 check:update` and commit it");
}
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
}
