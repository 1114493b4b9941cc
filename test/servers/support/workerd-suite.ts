import { build } from "esbuild";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { createVitest } from "vitest/node";
import type { Outcome } from "./workerd-tests.ts";

const root = join(import.meta.dirname, "../../..");

/** Fewer tests than this never pass: none stops running unnoticed. */
const fewest = 2_000;

const noFiles = "reads the sources, and workerd sees no files";
const noServer = "asks a server that the test starts, and a worker reaches none of its own";
const routing = "packages/core/src/server/routing.test.ts";
const network = "packages/core/src/adapters/network.test.ts";

/** Tests that cannot pass on workerd, each by its name from the file down, and why. One that passes has to leave. */
const cannot: { readonly [name: string]: string } = {
  [`${routing} > a process starts without the Management API, OpenAPI documents and the jobs of the host`]: noFiles,
  [`${routing} > a process starts with the texts of one language`]: noFiles,
  [`${routing} > a process starts without heavy dependencies: common passwords, Liquid, phone numbers, certificates`]: noFiles,
  "packages/core/src/login/draw.test.tsx > the pages that are no step are all here": noFiles,
  "packages/core/src/login/draw.test.tsx > answers that a page carries > web_message hands the answer to one origin":
    "runs a script in node:vm, which workerd lacks",
  "packages/core/src/identity/passwords/hasher.test.ts > hashing does not block the event loop": "workerd has one thread",
  "packages/core/test/certificate.test.ts > another implementation reads and verifies a certificate of a key for RS256":
    "X509Certificate of workerd does not export the key",
  "packages/core/test/certificate.test.ts > another implementation reads and verifies a certificate of a key for ES256":
    "X509Certificate of workerd does not tell the dates",
  [`${network} > addresses that are not public are not asked > by a name that stands for this machine`]:
    "workerd says nothing of the addresses of a name",
  "packages/core/src/logs/fault-text.test.ts > shows that an address is not allowed without showing the address":
    "workerd says nothing of the addresses of a name",
  [`${network} > addresses that are not public are not asked > but for those that are allowed one by one`]: noServer,
  [`${network} > method, headers and body go there, and status, headers and body come back`]: noServer,
  [`${network} > redirects are not followed`]: noServer,
  [`${network} > what never ends is cut off, and what is given up on ends`]: noServer,
  [`${network} > a server that is not there is an error`]: noServer,
};

/**
 * Bundles core's test files as a worker that runs them, as `workerd-tests.ts` does. Which files they are and their settings is what Vitest says of the project:
 * those that need a process of their own (`*.alone.test.ts`) put modules in the place of others, which a bundle cannot.
 * @returns the files
 */
export async function bundleSuite(outfile: string): Promise<readonly string[]> {
  const vitest = await createVitest("test", { root, project: ["core"], watch: false });
  try {
    const [core] = vitest.projects;
    if (core === undefined) throw new Error("Vitest knows no project of core");
    const files = (await core.globTestFiles()).testFiles.map((file) => relative(root, file));
    const imports = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)})`);
    await build({
      stdin: {
        contents: `import { testWorker } from "./test/servers/support/workerd-tests.ts";
export default testWorker(${JSON.stringify(core.serializedConfig)}, { ${imports.join(", ")} });`,
        resolveDir: root,
      },
      outfile,
      bundle: true,
      // What Wrangler, the bundler of Workers, does.
      platform: "browser",
      conditions: ["postern-source", "workerd", "worker", "browser"],
      external: ["node:*"],
      format: "esm",
      jsx: "automatic",
      jsxImportSource: "preact",
      logLevel: "warning",
    });
    return files;
  } finally {
    await vitest.close();
  }
}

/** Has a worker of {@link bundleSuite} run each of the files. */
export async function expectSuitePasses(origin: string, files: readonly string[]): Promise<void> {
  await expect.poll(() => fetch(origin).then(({ status }) => status, String)).toBe(404);
  let passed = 0;
  const failed: { [name: string]: string } = {};
  for (const file of files) {
    const outcome = (await (await fetch(`${origin}/${file}`)).json()) as Outcome;
    passed += outcome.passed;
    Object.assign(failed, outcome.failed);
  }
  const unexpected = Object.entries(failed).filter(([name]) => !(name in cannot));
  expect(unexpected, "tests that fail on workerd").toEqual([]);
  expect(Object.keys(failed).toSorted(), "tests that are said to fail on workerd").toEqual(Object.keys(cannot).toSorted());
  expect(passed).toBeGreaterThan(fewest);
}
