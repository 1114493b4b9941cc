import { build } from "esbuild";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { createVitest } from "vitest/node";
import type { TestOutcome } from "./workerd-tests.ts";

const root = join(import.meta.dirname, "../../..");

/** The minimum number of tests that must pass in the whole suite, so that no test stops running unnoticed. */
const minimumPassed = 2_000;

const noFiles = "reads source files, which workerd cannot access";
const noServer = "connects to a server in the same process, which a worker cannot reach";
const routing = "packages/core/src/server/routing.test.ts";
const network = "packages/core/src/adapters/network.test.ts";

/**
 * Tests that cannot pass on workerd, by file and full name, with the reason. A test that passes must be removed from
 * the list.
 */
const expectedFailures: { readonly [name: string]: string } = {
  [`${routing} > core does not load the Management API, OpenAPI documents, seeding, sweeping or the doctor at start`]: noFiles,
  [`${routing} > core loads the texts of only one language at start`]: noFiles,
  [`${routing} > core does not load the dependencies for common passwords, Liquid, phone numbers, certificates or WebAuthn at start`]:
    noFiles,
  "packages/core/src/login/draw.test.tsx > this test file draws every page that does not belong to a step": noFiles,
  "packages/core/src/login/draw.test.tsx > response pages > the web_message page posts the response to the target origin only":
    "runs a script in node:vm, which workerd lacks",
  "packages/core/src/identity/passwords/hasher.test.ts > hashing a password does not block the event loop": "workerd has one thread",
  "packages/core/test/certificate.test.ts > another implementation parses and verifies a certificate for an RS256 key":
    "X509Certificate of workerd does not export the key",
  "packages/core/test/certificate.test.ts > another implementation parses and verifies a certificate for an ES256 key":
    "X509Certificate of workerd does not return the dates",
  [`${network} > sends no request to a server whose IP address is not public > a host name that resolves to loopback`]:
    "workerd does not return the addresses of a host name",
  "packages/core/src/logs/fault-text.test.ts > describes that an IP address is not allowed, without the IP address":
    "workerd does not return the addresses of a host name",
  [`${network} > sends no request to a server whose IP address is not public > unless the address is explicitly allowed`]: noServer,
  [`${network} > sends method, headers and body, and returns status, headers and body`]: noServer,
  [`${network} > does not follow redirects`]: noServer,
  [`${network} > rejects when a response exceeds the maximum size or when the request is aborted`]: noServer,
  [`${network} > rejects if no server listens at the address`]: noServer,
};

/**
 * Bundles core's test files as a worker that runs them with `workerd-tests.ts`. Vitest provides the list of files and
 * the settings of the project.
 * `*.alone.test.ts` files are not included: they mock modules, which a bundle cannot do.
 * @param chosen names the files. Default: all.
 * @returns the files
 */
export async function bundleSuite(outfile: string, chosen?: readonly string[]): Promise<readonly string[]> {
  const vitest = await createVitest("test", { root, project: ["core"], watch: false });
  try {
    const [core] = vitest.projects;
    if (core === undefined) throw new Error("Vitest has no project named core");
    const all = (await core.globTestFiles()).testFiles.map((file) => relative(root, file));
    const files = chosen === undefined ? all : all.filter((file) => chosen.includes(file));
    const imports = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)})`);
    await build({
      stdin: {
        contents: `import { testWorker } from "./test/servers/support/workerd-tests.ts";
export default testWorker(${JSON.stringify(core.serializedConfig)}, { ${imports.join(", ")} });`,
        resolveDir: root,
      },
      outfile,
      bundle: true,
      // The same platform that Wrangler, the bundler of Workers, uses.
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

/**
 * Runs each of the files in a worker of {@link bundleSuite}, and expects all tests to pass except the listed ones.
 * @param isWhole whether the files are the whole suite.
 */
export async function expectSuitePasses(origin: string, files: readonly string[], isWhole: boolean): Promise<void> {
  await expect.poll(() => fetch(origin).then(({ status }) => status, String)).toBe(404);
  let passed = 0;
  const failed: { [name: string]: string } = {};
  for (const file of files) {
    const outcome = (await (await fetch(`${origin}/${file}`)).json()) as TestOutcome;
    passed += outcome.passed;
    Object.assign(failed, outcome.failed);
  }
  const unexpected = Object.entries(failed).filter(([name]) => !(name in expectedFailures));
  expect(unexpected, "tests that fail on workerd").toEqual([]);
  const expected = Object.keys(expectedFailures).filter((name) => files.some((file) => name.startsWith(`${file} > `)));
  expect(Object.keys(failed).toSorted(), "tests that are expected to fail on workerd").toEqual(expected.toSorted());
  expect(passed).toBeGreaterThan(isWhole ? minimumPassed : files.length);
}
