import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { decodeProtectedHeader } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { app as web, manager, testUser, type ConfidentialClient } from "../support/code-flow-people.ts";
import { freePort } from "../support/free-port.ts";
import { proxyTo } from "../support/tls-proxy.ts";
import { launchBrowser } from "../pages/browser.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { sessionFiles } from "./support/next-session.ts";
import { npmEnv, pack } from "./support/packed.ts";
import { givePassword, sayWho } from "./support/person.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const env = { ...npmEnv, NEXT_TELEMETRY_DISABLED: "1" };

/** No database and no secrets, as where apps are built. Whoever opened this one would fail. */
const atBuild = { ...env, DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", NODE_ENV: "production" as const };

/** Where the app mounts further services beside the example's at `/auth/`. */
const mounts = ["/", "/api/auth/", "/a/b/c/"] as const;

test("a fresh Next.js app with the example's files builds without a database, and serves", { timeout: 900_000 }, async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "postern-next-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, "app");
  await fromRegistry("create-next-app", skip, () => createNextApp(folder));

  const tarballs = await pack(["core", "kysely", "app", "memory", "express", "next", "testing", "cli"], folder);
  await run("npm", ["install", "--no-audit", "--no-fund", ...tarballs, "better-sqlite3@13"], { cwd: app, env });
  await buildWhatInitWrites(app);
  copyExample(app);
  // A route without parameters, which Next.js tries at build time, and whose service is that of the other one.
  const keys = "app/auth/.well-known/jwks.json/route.ts";
  write(
    app,
    keys,
    `import { toNextHandlers } from "@postern/next";
import { openPostern } from "../../../../lib/postern";
export const { GET } = toNextHandlers(openPostern);
`,
  );
  for (const path of mounts) addMount(app, path);
  for (const [path, text] of Object.entries(sessionFiles)) write(app, path, text);

  await build(app);
  expect(existsSync(join(app, "data"))).toBe(false);
  // What a deployment takes along.
  const traced = readFileSync(join(app, ".next/server/app/auth/[...postern]/route.js.nft.json"), "utf8");
  expect(traced).toContain("node_modules/better-sqlite3/");

  const machine = { clientId: "backend", secret: "the-backend's-own-0123456789" };
  for (const behindTls of [false, true]) {
    const { origin, stop } = await start(app, "", machine, behindTls);
    const issuer = `${origin}/auth/`;
    await expectOneService(issuer, machine);
    for (const path of mounts) await codeFlow(origin + path);
    await codeFlow(issuer, { web: await addApp(issuer, machine), machine });
    await signInToTheApp(origin);
    await stop();
  }

  // The same below a base path, which Next.js takes off before it looks for the route.
  const below = [...mounts, "/auth/"];
  write(app, "next.config.ts", `export default { basePath: "/base" };\n`);
  rmSync(join(app, "app/auth"), { recursive: true });
  for (const path of below) addMount(app, path, "/base");
  await build(app);
  for (const behindTls of [false, true]) {
    const { origin, stop } = await start(app, "/base", machine, behindTls);
    for (const path of below) await codeFlow(`${origin}/base${path}`);
    await stop();
  }
});

/** Runs `postern init`, builds the app without `.env`, as a build machine does, serves it with `.env`, and signs in and out. Removes all of it again. */
async function buildWhatInitWrites(app: string): Promise<void> {
  const init = [join(app, "node_modules/@postern/cli/dist/bin.js"), "init", "--framework", "next", "--database", "sqlite", "--json"];
  const { stdout } = await run(process.execPath, init, { cwd: app, env });
  const { written } = JSON.parse(stdout) as { readonly written: readonly string[] };
  expect(written).toContain("app/me/page.tsx");
  const [variables, aside] = [join(app, ".env"), join(app, "..", "variables")];
  renameSync(variables, aside);
  await build(app);
  expect(existsSync(join(app, "data"))).toBe(false);
  renameSync(aside, variables);

  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const ownEnv = { ...env, APP_URL: `${origin}/` };
  // Outside of production this creates the development user.
  const seed = 'import("./postern.config.ts").then((config) => config.openPostern()).then((postern) => postern.close())';
  await run(process.execPath, ["--env-file=.env", "-e", seed], { cwd: app, env: { ...ownEnv, NODE_ENV: "development" } });
  const server = spawn(process.execPath, [nextOf(app), "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: app,
    env: ownEnv,
    stdio: "inherit",
  });
  onTestFinished(() => ended(server));
  await expect.poll(() => fetch(`${origin}/api/me`).then((reply) => reply.status, String), { timeout: 60_000 }).toBe(401);

  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/me`);
    await sayWho(page, "me@example.com");
    await givePassword(page, "correct horse battery");
    await page.waitForURL(`${origin}/me`);
    await page.getByText("Hello me@example.com").waitFor();
    await page.click("text=Call the API");
    await page.waitForURL(`${origin}/call-api`);
    expect(await page.textContent("body")).toContain('{"user":"Username-Password-Authentication|');
    await page.goto(`${origin}/me`);
    await page.click("text=Sign out");
    await page.waitForURL(`${origin}/`);
    await page.goto(`${origin}/me`);
    await page.waitForSelector("input[name=identifier]");
  } finally {
    await browser.close();
  }
  await ended(server);
  for (const path of [...written, "data", ".next"]) rmSync(join(app, path), { recursive: true });
}

/** Somebody opens a page of the app that is for people who are signed in, and signs out again: what `toNextSessions` does, in a browser. */
async function signInToTheApp(origin: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`${origin}/me`);
    await sayWho(page, testUser.email);
    await givePassword(page, testUser.password);
    await page.waitForURL(`${origin}/me`);
    expect(await page.textContent("#me")).toBe(testUser.email);

    // No token reaches the browser, and `proxy.ts` refreshes those that the app keeps.
    const sealed = async (): Promise<string> => JSON.stringify(await page.context().cookies(origin));
    const before = await sealed();
    expect(before).not.toMatch(/eyJ[\w-]+\.eyJ/);
    await page.reload();
    expect(await page.textContent("#me")).toBe(testUser.email);
    expect(await sealed()).not.toBe(before);

    await page.click("text=Sign out");
    await page.waitForURL((url) => url.pathname !== "/me");
    await page.goto(`${origin}/me`);
    await page.waitForSelector("input[name=identifier]");
  } finally {
    await browser.close();
  }
}

/** The database is in memory: a service that was opened twice would have keys and tokens that the other one does not know. */
async function expectOneService(issuer: string, machine: ConfidentialClient): Promise<void> {
  const tokens = await Promise.all(Array.from({ length: 8 }, () => backendToken(issuer, machine)));
  const { keys: published } = (await (await fetch(`${issuer}.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  for (const token of tokens) expect(published.map(({ kid }) => kid)).toContain(decodeProtectedHeader(token).kid);
  const users = await Promise.all(tokens.map((token) => fetch(`${issuer}api/v2/users`, { headers: { authorization: `Bearer ${token}` } })));
  expect(await Promise.all(users.map(async (answer) => [answer.status, await answer.json()]))).toEqual(tokens.map(() => [200, []]));
}

/** The app that a newcomer gets. `--empty`, because the other start page fetches fonts while it is built. */
async function createNextApp(folder: string): Promise<void> {
  const choices = ["--ts", "--app", "--empty", "--no-tailwind", "--no-linter", "--no-src-dir", "--use-npm", "--disable-git", "--yes"];
  await run("npx", ["-y", "create-next-app@16", "app", ...choices, "--skip-install"], { cwd: folder, env });
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

/** Adds a service of its own at a path. */
function addMount(app: string, path: string, basePath?: string): void {
  const seed = {
    tenantId: "main",
    clients: [web, { ...manager, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true }],
    user: testUser,
  };
  write(
    app,
    `app${path}[...postern]/route.ts`,
    `import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { toNextHandlers } from "@postern/next";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(async () => {
  const data = await openDatabase("sqlite::memory:");
  await data.migrate();
  const issuer = process.env["ORIGIN"] + "${path}";
  const postern = createPostern({ issuer, data, crypto: { secret: "0123456789abcdef0123456789abcdef" }, defaultTenantId: "main" });
  await postern.seed(${JSON.stringify(seed)});
  return postern;
}, ${JSON.stringify({ basePath })});
`,
  );
}

function write(app: string, path: string, text: string): void {
  mkdirSync(dirname(join(app, path)), { recursive: true });
  writeFileSync(join(app, path), text);
}

const nextOf = (app: string): string => join(app, "node_modules/next/dist/bin/next");

async function build(app: string): Promise<void> {
  await run(process.execPath, [nextOf(app), "build"], { cwd: app, env: atBuild }).catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
}

/** Starts what was built. The example's own service has its clients' secret by the environment. */
async function start(
  app: string,
  basePath: string,
  { secret }: ConfidentialClient,
  behindTls: boolean,
): Promise<{ readonly origin: string; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const proxy = behindTls ? await proxyTo(port) : undefined;
  const origin = proxy?.origin ?? `http://localhost:${port}`;
  const secrets = { POSTERN_SECRET: "the-host's-own-0123456789-abcdefghij", BACKEND_SECRET: secret };
  const server = spawn(process.execPath, [nextOf(app), "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: app,
    env: { ...env, ...secrets, ORIGIN: origin + basePath, ISSUER: `${origin}/auth/`, DATABASE_URL: "sqlite::memory:" },
    stdio: "inherit",
  });
  const stop = async (): Promise<void> => {
    await ended(server);
    await proxy?.close();
  };
  onTestFinished(stop);
  await expect.poll(() => fetch(`${origin}${basePath}`).then((page) => page.status, String), { timeout: 60_000 }).toBe(200);
  return { origin, stop };
}

/** Adds what {@link codeFlow} needs to a service through its API. */
async function addApp(issuer: string, machine: ConfidentialClient): Promise<ConfidentialClient> {
  const token = await backendToken(issuer, machine);
  const create = async (path: string, body: object): Promise<{ readonly client_id: string; readonly client_secret: string }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${issuer}api/v2/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return (await response.json()) as { client_id: string; client_secret: string };
  };
  await create("users", { connection: "Username-Password-Authentication", ...testUser });
  const { client_id: clientId, client_secret: secret } = await create("clients", web.settings);
  return { clientId, secret };
}

async function backendToken(issuer: string, { clientId, secret }: ConfidentialClient): Promise<string> {
  const response = await fetch(`${issuer}oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
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
