import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { decodeProtectedHeader } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { codeFlow } from "../support/code-flow.ts";
import { webClient as web, mainManager, testUser, type ConfidentialClient } from "../support/code-flow-fixtures.ts";
import { freePort } from "../support/free-port.ts";
import { proxyTo } from "../support/tls-proxy.ts";
import { launchBrowser } from "../pages/browser.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { useConsole } from "./support/mounted-console.ts";
import { consoleFiles } from "./support/next-console.ts";
import { sessionFiles } from "./support/next-session.ts";
import { copyTarballs, npmEnv } from "./support/packed.ts";
import { enterPassword, enterIdentifier } from "./support/login-page.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const env = { ...npmEnv, NEXT_TELEMETRY_DISABLED: "1" };

/** The environment of a build machine: no reachable database and no secrets. A build that opens the service fails. */
const atBuild = { ...env, DATABASE_URL: "postgres://postern@127.0.0.1:9/none", NODE_ENV: "production" as const };

const machine = { clientId: "backend", secret: "the-backend's-own-0123456789" };

/** The paths of further services, in addition to the example's at `/auth/`. */
const mounts = ["/", "/api/auth/", "/a/b/c/"] as const;

test(
  "a new Next.js app with the example's files builds without a database and serves logins and the admin console",
  { timeout: 900_000 },
  async ({ skip }) => {
    const app = await installApp(skip);
    await checkInitOutput(app);
    copyExample(app);
    // A route without parameters. Next.js evaluates it at build time, and it shares its service with the catch-all route.
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
    for (const [path, text] of Object.entries({ ...sessionFiles, ...consoleFiles() })) write(app, path, text);

    await build(app);
    expect(existsSync(join(app, "data"))).toBe(false);
    // The files that a deployment includes.
    const traced = readFileSync(join(app, ".next/server/app/auth/[...postern]/route.js.nft.json"), "utf8");
    expect(traced).toContain("node_modules/better-sqlite3/");

    for (const behindTls of [false, true]) {
      const { origin, stop } = await start(app, "", machine, behindTls);
      const issuer = `${origin}/auth/`;
      await expectOneService(issuer, machine);
      for (const path of mounts) await codeFlow(origin + path);
      await codeFlow(issuer, { web: await addApp(issuer, machine), machine });
      await signInToTheApp(origin);
      await useConsole(`${origin}/admin/`, `${origin}/operators/`);
      await stop();
    }
  },
);

test(
  "below a base path, which Next.js removes before it matches the route, each service serves logins, and one the admin console",
  { timeout: 900_000 },
  async ({ skip }) => {
    if (!isNightly) skip(onlyNightly);
    const app = await installApp(skip);
    const pathsBelowBase = [...mounts, "/auth/"];
    const basePath = "/a/b";
    write(app, "next.config.ts", `export default { basePath: "${basePath}" };\n`);
    for (const path of pathsBelowBase) addMount(app, path, basePath);
    for (const [path, text] of Object.entries(consoleFiles(basePath))) write(app, path, text);
    await build(app);
    for (const behindTls of [false, true]) {
      const { origin, stop } = await start(app, basePath, machine, behindTls);
      for (const path of pathsBelowBase) await codeFlow(origin + basePath + path);
      await useConsole(`${origin}${basePath}/admin/`, `${origin}${basePath}/operators/`);
      await stop();
    }
  },
);

/** Creates a Next.js app in a new folder, and installs Postern in it. @returns the folder of the app. */
async function installApp(skip: (reason: string) => never): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "postern-next-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, "app");
  await fromRegistry("create-next-app", skip, () => createNextApp(folder));
  const tarballs = await copyTarballs(["core", "kysely", "app", "memory", "express", "next", "testing", "cli", "admin"], folder);
  await run("npm", ["install", "--no-audit", "--no-fund", ...tarballs, "better-sqlite3@13"], { cwd: app, env });
  return app;
}

/**
 * Tests the output of `postern init`: builds the app without `.env` as a build machine does, serves it with `.env`, and
 * signs in and out. Then deletes its files again.
 */
async function checkInitOutput(app: string): Promise<void> {
  const init = [join(app, "node_modules/@postern/cli/dist/bin.js"), "init", "--framework", "next", "--database", "sqlite", "--json"];
  const { stdout } = await run(process.execPath, init, { cwd: app, env });
  const { written } = JSON.parse(stdout) as { readonly written: readonly string[] };
  expect(written).toContain("app/me/page.tsx");
  const [variables, movedAside] = [join(app, ".env"), join(app, "..", "variables")];
  renameSync(variables, movedAside);
  await build(app);
  expect(existsSync(join(app, "data"))).toBe(false);
  renameSync(movedAside, variables);

  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const appEnv = { ...env, APP_URL: `${origin}/` };
  // Outside of production, this creates the development user.
  const seed = 'import("./postern.config.ts").then((config) => config.openPostern()).then((postern) => postern.close())';
  await run(process.execPath, ["--env-file=.env", "-e", seed], { cwd: app, env: { ...appEnv, NODE_ENV: "development" } });
  const server = spawn(process.execPath, [nextOf(app), "start", "-p", String(port), "-H", "127.0.0.1"], {
    cwd: app,
    env: appEnv,
    stdio: "inherit",
  });
  onTestFinished(() => ended(server));
  await expect.poll(() => fetch(`${origin}/api/me`).then((reply) => reply.status, String), { timeout: 60_000 }).toBe(401);

  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/me`);
    await enterIdentifier(page, "me@example.com");
    await enterPassword(page, "correct horse battery");
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

/** Signs in at a protected page of the app and signs out again. Tests `toNextSessions` in a browser. */
async function signInToTheApp(origin: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`${origin}/me`);
    await enterIdentifier(page, testUser.email);
    await enterPassword(page, testUser.password);
    await page.waitForURL(`${origin}/me`);
    expect(await page.textContent("#me")).toBe(testUser.email);

    // No token reaches the browser, and `proxy.ts` refreshes the tokens in the app's sealed cookies.
    const sealedCookies = async (): Promise<string> => JSON.stringify(await page.context().cookies(origin));
    const before = await sealedCookies();
    expect(before).not.toMatch(/eyJ[\w-]+\.eyJ/);
    await page.reload();
    expect(await page.textContent("#me")).toBe(testUser.email);
    expect(await sealedCookies()).not.toBe(before);

    await page.click("text=Sign out");
    await page.waitForURL((url) => url.pathname !== "/me");
    await page.goto(`${origin}/me`);
    await page.waitForSelector("input[name=identifier]");
  } finally {
    await browser.close();
  }
}

/**
 * Checks that the service was opened once. The database is in memory, so a second instance would have other keys and
 * tokens.
 */
async function expectOneService(issuer: string, machine: ConfidentialClient): Promise<void> {
  const tokens = await Promise.all(Array.from({ length: 8 }, () => backendToken(issuer, machine)));
  const { keys: published } = (await (await fetch(`${issuer}.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
  for (const token of tokens) expect(published.map(({ kid }) => kid)).toContain(decodeProtectedHeader(token).kid);
  const users = await Promise.all(tokens.map((token) => fetch(`${issuer}api/v2/users`, { headers: { authorization: `Bearer ${token}` } })));
  expect(await Promise.all(users.map(async (answer) => [answer.status, await answer.json()]))).toEqual(tokens.map(() => [200, []]));
}

/** Creates an app with create-next-app. `--empty`, because the default start page downloads fonts during the build. */
async function createNextApp(folder: string): Promise<void> {
  const choices = ["--ts", "--app", "--empty", "--no-tailwind", "--no-linter", "--no-src-dir", "--use-npm", "--disable-git", "--yes"];
  await run("npx", ["-y", "create-next-app@16", "app", ...choices, "--skip-install"], { cwd: folder, env });
}

/** Copies the example's files. The app's TypeScript settings need imports without the `.ts` extension. */
function copyExample(app: string): void {
  const example = join(root, "examples/next");
  for (const path of ["lib/postern.ts", "app/auth/[...postern]/route.ts"]) {
    const target = join(app, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(example, path), target);
    writeFileSync(target, readFileSync(target, "utf8").replaceAll(/(from "\..*)\.ts"/g, '$1"'));
  }
}

/** Mounts a separate service at a path. */
function addMount(app: string, path: string, basePath?: string): void {
  const seed = {
    tenantId: "main",
    clients: [web, { ...mainManager, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true }],
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

/** Starts the built app. The environment provides the secret of the example's client. */
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

/** Creates the user and the client that {@link codeFlow} needs, with the service's Management API. */
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
