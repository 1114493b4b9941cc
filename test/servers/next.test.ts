import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { decodeProtectedHeader } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { fromRegistry } from "./support/from-registry.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The Node of this repository before the machine's: drivers bring binaries for Nodes of today alone. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`, NEXT_TELEMETRY_DISABLED: "1", CI: "1" };

/** No database and no secrets, as where apps are built. Whoever opened this one would fail. */
const atBuild = { ...env, DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", NODE_ENV: "production" as const };

test("a fresh Next.js app with the example's files builds without a database, and serves", { timeout: 900_000 }, async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "postern-next-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, "app");
  await fromRegistry("create-next-app", skip, () => createNextApp(folder));

  const tarballs = await pack(folder);
  await run("npm", ["install", "--no-audit", "--no-fund", ...tarballs, "better-sqlite3@13"], { cwd: app, env });
  copyExample(app);
  // A route without parameters, which Next.js tries at build time, and whose service is that of the other one.
  const keys = join(app, "app/auth/.well-known/jwks.json");
  mkdirSync(keys, { recursive: true });
  writeFileSync(
    join(keys, "route.ts"),
    `import { toNextHandlers } from "@postern/next";
import { openPostern } from "../../../../lib/postern";
export const { GET } = toNextHandlers(openPostern);
`,
  );

  const next = join(app, "node_modules/next/dist/bin/next");
  await run(process.execPath, [next, "build"], { cwd: app, env: atBuild }).catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  expect(existsSync(join(app, "data"))).toBe(false);
  // What a deployment takes along.
  const traced = readFileSync(join(app, ".next/server/app/auth/[...postern]/route.js.nft.json"), "utf8");
  expect(traced).toContain("node_modules/better-sqlite3/");

  const port = await freePort();
  const issuer = `http://localhost:${port}/auth/`;
  const secrets = { POSTERN_SECRET: "the-host's-own-0123456789-abcdefghij", BACKEND_SECRET: "the-backend's-own-0123456789" };
  const server = spawn(process.execPath, [next, "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: app,
    env: { ...env, ...secrets, ISSUER: issuer, DATABASE_URL: "sqlite::memory:" },
    stdio: "inherit",
  });
  onTestFinished(() => ended(server));
  await expect.poll(() => fetch(`http://localhost:${port}/`).then((page) => page.status, String), { timeout: 60_000 }).toBe(200);

  // The database is in memory: a service that was opened twice would have keys and tokens that the other one does not know.
  const tokens = await Promise.all(Array.from({ length: 8 }, () => backendToken(issuer, secrets.BACKEND_SECRET)));
  const { keys: published } = (await (await fetch(`${issuer}.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  for (const token of tokens) expect(published.map(({ kid }) => kid)).toContain(decodeProtectedHeader(token).kid);
  const users = await Promise.all(tokens.map((token) => fetch(`${issuer}api/v2/users`, { headers: { authorization: `Bearer ${token}` } })));
  expect(await Promise.all(users.map(async (answer) => [answer.status, await answer.json()]))).toEqual(tokens.map(() => [200, []]));
  expect(await (await fetch(`${issuer}.well-known/openid-configuration`)).json()).toMatchObject({ issuer });
});

/** The app that a newcomer gets. `--empty`, because the other start page fetches fonts while it is built. */
async function createNextApp(folder: string): Promise<void> {
  const choices = ["--ts", "--app", "--empty", "--no-tailwind", "--no-linter", "--no-src-dir", "--use-npm", "--disable-git", "--yes"];
  await run("npx", ["-y", "create-next-app@16", "app", ...choices, "--skip-install"], { cwd: folder, env });
}

/** Builds and packs what the app installs, as it is published. */
async function pack(folder: string): Promise<string[]> {
  const names = ["core", "kysely", "app", "next"];
  const pnpm = (...given: string[]) => run("npx", ["-y", "pnpm@12", ...given], { cwd: root, env });
  for (const name of names) await pnpm("--filter", `./packages/${name}`, "run", "build");
  for (const name of names) await pnpm("--filter", `./packages/${name}`, "pack", "--pack-destination", folder);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => join(folder, name));
}

/** The example's files, with imports as the app's own TypeScript settings want them. */
function copyExample(app: string): void {
  const example = join(root, "examples/next");
  for (const path of ["lib/postern.ts", "app/auth/[...postern]/route.ts"]) {
    const target = join(app, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(example, path), target);
    writeFileSync(target, readFileSync(target, "utf8").replaceAll(/(from "\..*)\.ts"/g, '$1"'));
  }
}

async function backendToken(issuer: string, secret: string): Promise<string> {
  const response = await fetch(`${issuer}oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`backend:${secret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", audience: `${issuer}api/v2/` }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { access_token: string }).access_token;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
