import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** A test file of an app: each test has its own tenant and checks that it contains no other user. */
const tests = `
import { createTestIdp } from "@postern/testing";
import { afterAll, expect, test } from "vitest";

const idp = await createTestIdp({ listen: true });
afterAll(() => idp.close());

test.concurrent.for(Array.from({ length: 25 }, (_, index) => index))("%s", async (index) => {
  const tenant = await idp.tenant();
  const name = \`\${process.pid} \${index}\`;
  const { accessToken } = await tenant.signIn(await tenant.createUser({ email: "ada@example.test", name }));
  const userinfo = await (await fetch(\`\${idp.issuer}userinfo\`, { headers: { authorization: \`Bearer \${accessToken}\` } })).json();
  expect([userinfo.name, (await tenant.api.users.list()).map((user) => user.name)]).toEqual([name, [name]]);
});
`;

const config = (folder: string): string => `
export default {
  root: ${JSON.stringify(folder)},
  resolve: { conditions: ["postern-source"] },
  ssr: { resolve: { conditions: ["postern-source"] } },
  test: { pool: "forks", maxWorkers: 4, testTimeout: 60000, include: ["*.test.ts"] },
};
`;

test("200 tests of an app run in four parallel workers without seeing each other's data", { timeout: 180_000 }, async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "testing-kit-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let file = 0; file < 8; file++) writeFileSync(join(folder, `${file}.test.ts`), tests);
  writeFileSync(join(folder, "vitest.config.js"), config(folder));
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const report = join(folder, "report.json");
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", join(folder, "vitest.config.js")];
  const run = promisify(execFile)(process.execPath, [...vitest, "--reporter=json", `--outputFile=${report}`], { cwd: folder, env });
  await run.catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout.slice(-4000)}\n${failure.stderr.slice(-4000)}`);
  });
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ numPassedTests: 200, numFailedTests: 0, success: true });
});
