import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { floors } from "../lint/floors.ts";

const root = resolve(import.meta.dirname, "..");
const core = "packages/core/src";

/** Files that each break one rule: path, content and the expected rule. */
const violations: readonly (readonly [file: string, code: string, rule: string])[] = [
  [`${core}/store/up.ts`, `import { urlFor } from "../http/url.ts";\nexport const a = urlFor;`, "postern(floors)"],
  [`${core}/model/up.ts`, `import type { Postern } from "../postern.ts";\nexport type A = Postern;`, "postern(floors)"],
  [`${core}/identity/up.ts`, `export type A = import("../tenants/tenant.ts").RequestTenant;`, "postern(floors)"],
  [`${core}/tokens/deep/up.ts`, `export * from "../../identity/users.ts";`, "postern(floors)"],
  [`${core}/http/up.ts`, `export const a = () => import("../login/flow.ts");`, "postern(floors)"],
  [`${core}/http/detour.ts`, `export { flow } from "./../http/../login/flow.ts";`, "postern(floors)"],
  [`${core}/oauth/beside.ts`, `import { users } from "../management/users.ts";\nexport const a = users;`, "postern(floors)"],
  [`${core}/elsewhere/new.ts`, `import { PosternError } from "../errors.ts";\nexport const a = PosternError;`, "postern(floors)"],
  [`${core}/management/unscoped.ts`, `import { all } from "../tenants/installation.ts";\nexport const a = all;`, "postern(floors)"],
  [`${core}/identity/outside.ts`, `import { a } from "../../../memory/src/index.ts";\nexport const b = a;`, "postern(floors)"],
  [`${core}/identity/memory.ts`, `import { a } from "@postern/memory";\nexport const b = a;`, "postern(floors)"],
  [`${core}/identity/node-fs.ts`, `import { readFile } from "node:fs/promises";\nexport const a = readFile;`, "postern(floors)"],
  [`${core}/adapters/bare-path.ts`, `import type { ParsedPath } from "path";\nexport type A = ParsedPath;`, "postern(floors)"],
  [`${core}/identity/clock.ts`, `export const a = () => Date.now();`, "postern(clock)"],
  [`${core}/identity/date.ts`, `export const a = () => new Date();`, "postern(clock)"],
  [`${core}/identity/date-text.ts`, `export const a = () => Date();`, "postern(clock)"],
  [`${core}/oauth/token/dice.ts`, `export const a = () => Math.random();`, "postern(clock)"],
  [`${core}/identity/default.ts`, `export default 1;`, "import(no-default-export)"],
  [`${core}/identity/index.ts`, `export { a } from "./good.ts";`, "postern(no-barrel)"],
  ["packages/memory/src/rows/index.ts", `export const a = 1;`, "postern(no-barrel)"],
  ["packages/memory/src/any.ts", `export const a = (b: any) => b;`, "typescript(no-explicit-any)"],
  ["packages/memory/src/bang.ts", `export const a = (b?: string) => b!.length;`, "typescript(no-non-null-assertion)"],
  ["packages/memory/src/ignore.ts", `// @ts-ignore\nexport const a: string = 1;`, "typescript(ban-ts-comment)"],
  ["packages/memory/src/floating.ts", `const b = async () => 1;\nexport const a = () => {\n  b();\n};`, "typescript(no-floating-promises)"],
  ["packages/memory/src/hen.ts", `import { b } from "./egg.ts";\nexport const a = () => b;`, "import(no-cycle)"],
  ["packages/memory/src/egg.ts", `import { a } from "./hen.ts";\nexport const b = () => a;`, "import(no-cycle)"],
];

/** Similar files that break no rule. */
const validFiles: readonly (readonly [file: string, code: string])[] = [
  [`${core}/index.ts`, `export { a } from "./identity/good.ts";`],
  [`${core}/identity/good.ts`, `import { b } from "../store/unrelated.ts";\nexport const a = () => [b, new Date(0), new Date(b)];`],
  [`${core}/store/unrelated.ts`, `export const b = 1;`],
  [`${core}/tenants/installation.ts`, `export const all = 1;`],
  [
    `${core}/tenants/tenants.ts`,
    `import { all } from "./installation.ts";\nimport { urlFor } from "../http/url.ts";\nexport const a = [all, urlFor];`,
  ],
  [`${core}/http/url.ts`, `export const urlFor = 1;`],
  [`${core}/adapters/clock.ts`, `export const systemClock = () => Date.now();`],
  [`${core}/identity/good.test.ts`, `import "node:fs";\nimport "@postern/memory";\nimport "../postern.ts";\nexport const a = Date.now();`],
];

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
}

describe("the architecture lint rules", () => {
  const reported = new Map<string, string[]>();
  let copy = "";

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "postern-lint-"));
    await Promise.all([
      symlink(join(root, "node_modules"), join(copy, "node_modules")),
      cp(join(root, "lint"), join(copy, "lint"), { recursive: true }),
      ...["oxlint.config.ts", "tsconfig.json", "tsconfig.base.json"].map((file) => cp(join(root, file), join(copy, file))),
      ...[...violations, ...validFiles].map(async ([file, code]) => {
        await mkdir(join(copy, dirname(file)), { recursive: true });
        await writeFile(join(copy, file), `${code}\n`);
      }),
    ]);
    const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
    const run = promisify(execFile)(process.execPath, [oxlint, "--format=json", "packages"], { cwd: copy });
    const { stdout } = await run.catch((failure: { stdout: string }) => failure);
    for (const { filename, code } of (JSON.parse(stdout) as Report).diagnostics) {
      reported.set(filename, [...(reported.get(filename) ?? []), code]);
    }
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  test.each(violations)("reject %s", (file, _code, rule) => {
    expect(reported.get(file)).toContain(rule);
  });

  test.each(validFiles)("accept %s", (file) => {
    expect(reported.get(file)).toBeUndefined();
  });

  test("allow an entry to import only entries below it in the table", () => {
    const order = Object.keys(floors);
    for (const [floor, { imports }] of Object.entries(floors)) {
      for (const other of imports) expect(order.indexOf(other), `${floor} and ${other}`).toBeGreaterThan(order.indexOf(floor));
    }
  });

  test("allow no two entries to import each other", () => {
    for (const [floor, { imports }] of Object.entries(floors)) {
      for (const other of imports) expect(floors[other]?.imports, `${floor} and ${other}`).not.toContain(floor);
    }
  });
});
