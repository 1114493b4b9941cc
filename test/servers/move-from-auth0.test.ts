import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request as forward } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { createFormBrowser } from "../standalone/form-browser.ts";
import { filesIn } from "../support/deploy-cli.ts";
import { freePort } from "../support/free-port.ts";
import { listenTls, type TlsServer } from "../support/tls.ts";

/** Runs the commands and files of the guide docs/move-from-auth0.md against an export in Auth0's format. */

const root = join(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/move-from-auth0.md"), "utf8");
const deployCli = createRequire(import.meta.url).resolve("auth0-deploy-cli");

/** The guide's code blocks, by the word after the language: a file name or a command's name. */
const blocks = new Map(
  [...guide.matchAll(/^ {3}```(?:ts|sh) (\S+)\n(.*?)^ {3}```$/gms)].map(([, name = "", code = ""]) => [
    name,
    code.replaceAll(/^ {3}/gm, ""),
  ]),
);

function block(name: string): string {
  const code = blocks.get(name);
  if (code === undefined) throw new Error(`the guide has no block '${name}'`);
  return code;
}

/** Returns a block of commands that runs the installed Deploy CLI. */
const deployCommands = (name: string): string => block(name).replaceAll("npx auth0-deploy-cli", `${process.execPath} ${deployCli}`);

const recorded = join(import.meta.dirname, "auth0-export");

/** Creates a folder with the recorded export, whose secrets are filled in, and the compiled files of the guide. */
async function workingFolder(): Promise<string> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "move-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(recorded, folder, { recursive: true });
  for (const path of Object.keys(filesIn(join(folder, "auth0")))) {
    const file = join(folder, "auth0", path);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(placeholder, "a-secret"));
  }
  const names = [...blocks.keys()].filter((name) => name.endsWith(".ts"));
  for (const name of names) writeFileSync(join(folder, name), block(name));
  await build({
    entryPoints: names.map((name) => join(folder, name)),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
    loader: { ".sql": "text" },
    outExtension: { ".js": ".mjs" },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return folder;
}

/** A placeholder of the Deploy CLI for a secret. */
const placeholder = /##\w+##/g;

/** Files whose resources Postern does not have. The guide excludes or deletes them. */
const excludedFile = /^(actions|rules|triggers)\/|^attack-protection\/(bot-detection|captcha)\.json$/;

/** Returns what a file of the recorded export moves: no secrets, and custom domains without their verification. */
function movedContent(path: string, content: unknown): unknown {
  if (path === "custom-domains/custom-domains.json") return [{ domain: "login.orders.example.test", status: "pending_verification" }];
  if (typeof content === "string") return content;
  return JSON.parse(JSON.stringify(content), (_, value: unknown) => (String(value).startsWith("##") ? undefined : value));
}

/** Starts a TLS proxy for a local server. It keeps the requested host. */
async function serveTls(port: number): Promise<TlsServer> {
  const server = await listenTls((incoming, outgoing) => {
    const { url: path, method, headers } = incoming;
    const proxied = forward({ port, host: "127.0.0.1", path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    proxied.on("error", () => outgoing.destroy());
    incoming.pipe(proxied);
  });
  onTestFinished(() => server.close());
  return server;
}

/** Serves recorded responses of Auth0's Management API. */
async function serveAuth0(folder: string): Promise<TlsServer> {
  const replies = new Map(Object.entries(JSON.parse(readFileSync(join(folder, "members.json"), "utf8")) as object));
  const server = await listenTls((request, response) => {
    const reply: unknown = replies.get(decodeURIComponent((request.url ?? "").replace("/api/v2/", "")));
    const isAllowed = request.headers.authorization === "Bearer a-token-of-auth0";
    response.writeHead(isAllowed && reply !== undefined ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(reply ?? {}));
  });
  onTestFinished(() => server.close());
  return server;
}

test("the guide excludes exactly the resource types of the Deploy CLI that Postern does not serve", () => {
  const served =
    `tenant clients clientGrants clientAuthCredentials resourceServers databases connections roles organizations branding themes pages prompts
    attackProtection customDomains emailProvider emailTemplates logStreams guardianFactors guardianFactorProviders guardianFactorTemplates
    guardianPolicies guardianPhoneFactorSelectedProvider guardianPhoneFactorMessageTypes`.split(/\s+/);
  const [, excluded = "[]"] = /AUTH0_EXCLUDED='(.*)'/.exec(block("import")) ?? [];
  const handlers = readFileSync(join(deployCli, "../tools/auth0/handlers/index.js"), "utf8");
  const [, table = ""] = /const auth0ApiHandlers = \{(.*?)\n\};/s.exec(handlers) ?? [];
  const known = [...table.matchAll(/^ {4}(\w+),$/gm)].map(([, name = ""]) => name);
  expect(known.length).toBeGreaterThan(40);
  expect([...served, ...(JSON.parse(excluded) as string[])].toSorted()).toEqual(known.toSorted());
});

test("the commands of the guide move an Auth0 tenant", { timeout: 600_000 }, async () => {
  const folder = await workingFolder();
  const port = await freePort();
  const [postern, auth0] = [await serveTls(port), await serveAuth0(folder)];
  writeFileSync(join(folder, "certificate.pem"), postern.certificate);
  const env: { [name: string]: string } = {
    PATH: process.env["PATH"] ?? "",
    NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem"),
    ISSUER: `${postern.origin}/`,
    DATABASE_URL: "sqlite:./postern.db",
    POSTERN_SECRET: "Xo7-mV2qLk9_aTfZ4hRsWc8yEjNb1uPd",
    PORT: String(port),
    SOURCE_DOMAIN: new URL(auth0.origin).host,
    SOURCE_TOKEN: "a-token-of-auth0",
  };
  const run = async (command: string, more: { readonly [name: string]: string } = {}): Promise<string> => {
    const { stdout, stderr } = await promisify(execFile)("sh", ["-ec", command], { cwd: folder, env: { ...env, ...more } });
    return `${stdout}${stderr}`;
  };

  // Step 3: clients keep their ids and get new secrets.
  const printed = await run("node clients.mjs");
  const secrets = new Map(printed.split("\n").map((line): [string, string] => [line.split(" ")[0] ?? "", line.split(" ")[1] ?? ""]));
  const ids = readdirSync(join(folder, "auth0/clients")).map((file): { client_id: string; name: string } =>
    JSON.parse(readFileSync(join(folder, "auth0/clients", file), "utf8")),
  );
  const idOf = (name: string): string => ids.find((client) => client.name === name)?.client_id ?? "";
  expect(secrets.has(idOf("Shop"))).toBe(false);
  for (const name of ["Back office", "Nightly job", "Legacy"]) expect(secrets.get(idOf(name))).toMatch(/^[\w-]{43}$/);
  expect(await run("node clients.mjs")).toBe("");

  const server = spawn(process.execPath, ["server.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    if (server.exitCode === null && server.kill()) await once(server, "exit");
  });
  await once(server.stdout, "data");

  // Step 4.
  const imported = await run(deployCommands("import"), { DEPLOY_CLI_SECRET: secrets.get("deploy-cli") ?? "" });
  expect(imported).toContain("Import Successful");

  // Step 2, with Postern in the place of Auth0: the export has what every file of the recorded export moves.
  const atPostern = { AUTH0_DOMAIN: new URL(postern.origin).host, AUTH0_CLIENT_ID: "deploy-cli" };
  await run(`mkdir again && cd again\n${deployCommands("export")}`, { ...atPostern, AUTH0_CLIENT_SECRET: secrets.get("deploy-cli") ?? "" });
  const [files, exported] = [filesIn(join(recorded, "auth0")), filesIn(join(folder, "again/auth0"))];
  expect(Object.keys(files)).toHaveLength(38);
  for (const [path, content] of Object.entries(files)) {
    const moved = excludedFile.test(path) ? undefined : movedContent(path, content);
    expect.soft({ content: exported[path] }, path).toMatchObject({ content: moved });
  }
  // An import rejects ids. Only clients have them, because `clients.ts` creates the clients.
  expect(exported["roles/Clerk.json"]).not.toHaveProperty("id");

  // Step 3 again: the secrets in force are those that were printed, and the clients keep their connections.
  expect(await run("node clients.mjs")).toBe("");

  // Step 5: a user whose second factor is missing is imported only without the password.
  const users = await run("node users.mjs");
  expect(users).toMatch(/total: 6, inserted: 5, updated: 0, failed: 1, ignored: 26/);
  expect(users).toMatch(/^auth0\|65f0a1b2c3d4e5f6a7b8c905 \[\{"code":"INVALID_FORMAT","path":"multifactor"/m);
  expect(users).toContain("auth0|65f0a1b2c3d4e5f6a7b8c907 is not in profiles.ndjson");
  const again = await run("node users.mjs 'auth0|65f0a1b2c3d4e5f6a7b8c905'");
  expect(again).toMatch(/total: 6, inserted: 1, updated: 5, failed: 0/);

  // Step 6: a user of an identity provider is created at the first sign-in.
  expect(await run("node members.mjs")).toBe("not assigned: Clerk google-oauth2|1102\n");

  // Step 8: a user signs in to the app with the former password, and the `sub` claim is the same.
  const exchange = async (body: object): Promise<Response> =>
    fetch(`${postern.origin}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { html } = (await openLogin(postern.origin, idOf("Back office"), "ada")).login;
  expect(html).toContain("Welcome to Orders");
  expect(html).toContain("https://cdn.example.test/logo.svg");
  const ada = await signIn(postern.origin, idOf("Back office"), "ada");
  const client = { client_id: idOf("Back office"), client_secret: secrets.get(idOf("Back office")) };
  const redirect = { grant_type: "authorization_code", code: ada, redirect_uri: "https://office.example.test/callback" };
  const tokens = (await (await exchange({ ...redirect, ...client })).json()) as {
    readonly access_token: string;
    readonly id_token: string;
  };
  expect(claimsOf(tokens.id_token)).toMatchObject({
    sub: "auth0|65f0a1b2c3d4e5f6a7b8c901",
    aud: idOf("Back office"),
    email: "ada@example.test",
  });
  expect(claimsOf(tokens.access_token)).toMatchObject({
    aud: expect.arrayContaining(["https://orders.example.test/"]),
    permissions: ["read:orders"],
  });
  for (const name of ["cy", "finn"]) await expect(signIn(postern.origin, idOf("Back office"), name)).rejects.toThrow("no code");
  await signIn(postern.origin, idOf("Back office"), "gil");

  const job = { grant_type: "client_credentials", client_id: idOf("Nightly job"), client_secret: secrets.get(idOf("Nightly job")) };
  const jobTokens = await exchange({ ...job, audience: "https://orders.example.test/" });
  expect(await jobTokens.json()).toMatchObject({ scope: "read:orders" });

  // The Management API shows the moved data.
  const tool = { grant_type: "client_credentials", client_id: "deploy-cli", client_secret: secrets.get("deploy-cli") };
  const { access_token: token } = (await (await exchange({ ...tool, audience: `${postern.origin}/api/v2/` })).json()) as {
    readonly access_token: string;
  };
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${postern.origin}/api/v2/${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  expect(await read("users/auth0|65f0a1b2c3d4e5f6a7b8c901")).toMatchObject({
    app_metadata: { plan: "gold" },
    user_metadata: { lang: "de" },
  });
  for (const id of ["65f0a1b2c3d4e5f6a7b8c903", "65f0a1b2c3d4e5f6a7b8c905"]) {
    expect(await read(`users/auth0|${id}`)).toMatchObject({ blocked: true });
  }
  expect(await read("users/auth0|employee-7")).toMatchObject({ email: "gil@example.test" });
  expect(await read("users/auth0|65f0a1b2c3d4e5f6a7b8c904/authentication-methods")).toMatchObject([
    { type: "totp", confirmed: true },
    { type: "phone", confirmed: true, phone_number: "+491701234567" },
  ]);
  expect(await read("users/auth0|65f0a1b2c3d4e5f6a7b8c905/authentication-methods")).toEqual([]);
  expect(await read("users/auth0|65f0a1b2c3d4e5f6a7b8c902/roles")).toMatchObject([{ name: "Clerk" }]);
  const organization = (await read("organizations/name/acme")) as { readonly id: string };
  expect(await read(`organizations/${organization.id}/members?fields=user_id,roles`)).toMatchObject([
    { user_id: "auth0|65f0a1b2c3d4e5f6a7b8c901", roles: [{ name: "Manager" }] },
    { user_id: "auth0|65f0a1b2c3d4e5f6a7b8c902", roles: [] },
  ]);
  const { enabled_connections: enabledConnections } = (await read(`clients/${idOf("Back office")}/connections`)) as {
    readonly enabled_connections: object[];
  };
  expect(enabledConnections).toMatchObject([{ connection: { name: "Username-Password-Authentication" } }]);

  // An imported factor is required as soon as a policy requires factors.
  const policies = { method: "PUT", headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } };
  expect((await fetch(`${postern.origin}/api/v2/guardian/policies`, { ...policies, body: '["all-applications"]' })).status).toBe(200);
  await expect(signIn(postern.origin, idOf("Back office"), "dora")).rejects.toThrow("no code");
});

/** Opens the login page in a new browser of a user. */
async function openLogin(origin: string, clientId: string, name: string) {
  const authorize = new URLSearchParams({
    client_id: clientId,
    redirect_uri: "https://office.example.test/callback",
    response_type: "code",
    scope: "openid email",
    audience: "https://orders.example.test/",
    state: "s",
  });
  const person = createFormBrowser({
    issuer: `${origin}/`,
    url: `${origin}/`,
    user: { email: `${name}@example.test`, password: `a-Password-of-${name}-1` },
  });
  return { person, login: await person.open(`authorize?${authorize.toString()}`) };
}

/** Signs a user in at the login pages. @returns the authorization code. */
async function signIn(origin: string, clientId: string, name: string): Promise<string> {
  const { person, login } = await openLogin(origin, clientId, name);
  const outcome = await person.signIn(login).then(
    () => "",
    (error: unknown) => String(error),
  );
  const [, code] = /https:\/\/office\.example\.test\/callback\?code=([^&\s]+)/.exec(outcome) ?? [];
  if (code === undefined) throw new Error(`no code: ${outcome}`);
  return decodeURIComponent(code);
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}
