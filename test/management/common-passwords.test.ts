import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { expectError, list, stringMember } from "../support/api.ts";
import { login, openService, type LoginService } from "../support/flow.ts";

/** Common passwords are rejected, unless the options of the database connection allow them. */

const refusal = "body: 'password': PasswordDictionaryError: Password is too common";
const database = "Username-Password-Authentication";

let service: LoginService;
beforeEach(async () => {
  service = await openService();
});

const create = (password: string, connection = database) =>
  service.manage("POST", "/api/v2/users", { connection, email: "eve@example.test", password });

test("a password database with default options rejects common passwords", async () => {
  for (const common of ["12345678", "PassWord123", "iloveyou2", "qwertzuiop", "abcabcabc"]) {
    expectError(await create(common), 400, "invalid_request", refusal);
  }
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  expectError(await service.manage("PATCH", path, { password: "trustno1" }), 400, "invalid_request", refusal);
  await login(service.browser(), service.web, service.ada);
  expect((await create("drawbridge-9")).status).toBe(201);
});

test("the options of a password database disable the check for common passwords or set the length of their list", async () => {
  const databases = [
    ["lenient", { password_dictionary: { enable: false } }, "12345678", 201],
    ["lenient-too", { password_options: { dictionary: { active: false } } }, "12345678", 201],
    ["short-list", { password_options: { dictionary: { default: "en_10k" } } }, "12345678", 400],
    ["short-list-too", { password_options: { dictionary: { default: "en_10k" } } }, "dimazarya", 201],
    ["long-list", { password_options: { dictionary: { default: "en_100k" } } }, "dimazarya", 400],
  ] as const;
  for (const [name, options, password, status] of databases) {
    await service.manage.create("/api/v2/connections", { name, strategy: "auth0", options: { ...options, passwordPolicy: "low" } });
    expect([name, (await create(password, name)).status]).toEqual([name, status]);
  }
});

test("a seed rejects a common password of its user, as the API does", async () => {
  const seed = { tenantId: "main", user: { email: "root@example.test", password: "letmein-please" } };
  await expect(service.postern.seed({ ...seed, user: { ...seed.user, password: "letmein" } })).rejects.toThrow(
    "the user 'root@example.test' cannot be used: 'password': PasswordStrengthError",
  );
  await service.postern.seed(seed);
  const [root = {}] = list(await service.manage("GET", "/api/v2/users-by-email?email=root@example.test"));
  await login(service.browser(), service.web, {
    email: "root@example.test",
    password: "letmein-please",
    userId: stringMember(root, "user_id"),
  });
});

const entry = { contents: 'export { isCommon } from "./packages/core/src/identity/passwords/common.ts";', resolveDir: process.cwd() };

test("a bundle for environments without a file system contains the list of common passwords", async () => {
  const { outputFiles } = await build({
    stdin: entry,
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "bundle",
    write: false,
  });
  // The context has no globals other than the language's own.
  const isCommon: unknown = await runInNewContext(
    `${outputFiles[0]?.text}; Promise.all(["letmein", "drawbridge-9"].map((password) => bundle.isCommon(password)))`,
  );
  expect(JSON.stringify(isCommon)).toBe("[true,false]");
});

test("a bundle for Node.js loads the list of common passwords on demand as a separate chunk", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postern-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outfile = { outdir: folder, splitting: true, chunkNames: "chunk-[hash]", outExtension: { ".js": ".mjs" } };
  await build({ stdin: { ...entry, sourcefile: "entry.ts" }, bundle: true, platform: "node", format: "esm", ...outfile });
  const run = 'import("./stdin.mjs").then(async ({ isCommon }) => console.log(await isCommon("letmein"), await isCommon("drawbridge-9")))';
  expect((await promisify(execFile)(process.execPath, ["-e", run], { cwd: folder })).stdout).toBe("true false\n");
});
