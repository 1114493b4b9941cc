import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { managementToken, runExample, script, startExample, temporaryFolder } from "./start.ts";
import { freePort } from "../support/free-port.ts";

/** Returns every row of every table as text. */
function dump(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
  const rows = tables.map(({ name }) => [name, database.prepare(`select * from "${String(name)}" order by 1, 2`).all()]);
  database.close();
  return JSON.stringify(rows, null, 1);
}

describe.runIf(process.platform === "linux")("start.js", () => {
  test("runs the server in its own process, with the settings that save memory", async () => {
    const { child, stop } = await startExample(temporaryFolder(), {}, [script]);
    expect(readFileSync(`/proc/${child.pid}/cmdline`, "latin1")).toContain("--max-semi-space-size=4");
    expect(readFileSync(`/proc/${child.pid}/environ`, "latin1")).toContain("GLIBC_TUNABLES=glibc.malloc.");
    expect((await stop()).code).toBe(0);
  });
});

describe("a first start", () => {
  test("prints one line with all values that a client needs, and serves clients that use them", async () => {
    const { ready, stop } = await startExample(temporaryFolder(), {}, [script]);
    expect(Object.keys(ready).join(" ")).toBe("event url issuer tenant_id management_client spa_client web_client user");
    const text = expect.stringMatching(/^.{12,}$/) as string;
    expect(ready).toEqual({
      event: "ready",
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/$/) as string,
      issuer: ready.url,
      tenant_id: "main",
      management_client: { client_id: text, client_secret: text },
      spa_client: { client_id: text },
      web_client: { client_id: text, client_secret: text },
      user: { email: "admin@example.com", password: text },
    });

    const discovery = (await (await fetch(`${ready.url}.well-known/openid-configuration`)).json()) as { issuer: string };
    expect(discovery.issuer).toBe(ready.issuer);

    const headers = { authorization: `Bearer ${await managementToken(ready)}` };
    const users = (await (await fetch(`${ready.url}api/v2/users`, { headers })).json()) as { email: string }[];
    expect(users.map(({ email }) => email)).toEqual(["admin@example.com"]);

    const spa = await (await fetch(`${ready.url}api/v2/clients/${ready.spa_client.client_id}`, { headers })).json();
    expect(spa).toMatchObject({
      app_type: "spa",
      token_endpoint_auth_method: "none",
      refresh_token: { rotation_type: "rotating" },
      callbacks: [ready.issuer],
      web_origins: [new URL(ready.issuer).origin],
    });

    const { output } = await stop();
    const lines = output.map((line) => JSON.parse(line) as { event: string });
    expect(lines.map(({ event }) => event)).toEqual(["ready", "request", "request", "request", "request", "stopping"]);
    expect(lines[2]).toMatchObject({ method: "POST", path: "/oauth/token", status: 200, tenant_id: "main" });
  });

  test("serves a home page and an inbox without external assets", async () => {
    const { ready } = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
    const home = await fetch(ready.url);
    const page = await home.text();
    expect(home.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const value of [ready.issuer, ready.spa_client.client_id, ready.web_client.client_id]) expect(page).toContain(`>${value}</code>`);
    expect(page).toContain(`-d client_id=${ready.management_client.client_id} `);
    expect(page).toContain(`>${ready.user.password}</code>`);
    for (const secret of [ready.management_client.client_secret, ready.web_client.client_secret]) expect(page).not.toContain(secret);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => new URL(href, ready.url));
    expect(links.length).toBeGreaterThanOrEqual(5);
    for (const link of links) {
      // The admin console requires a session.
      const status = link.pathname === "/admin/" ? 401 : 200;
      expect([link.href, (await fetch(link)).status]).toEqual([link.href, status]);
    }

    expect(await (await fetch(`${ready.url}dev/inbox`)).text()).toContain("No message yet");
    expect(await (await fetch(`${ready.url}dev/inbox`, { headers: { accept: "application/json" } })).json()).toEqual([]);
    expect((await fetch(`${ready.url}dev/nothing`)).status).toBe(404);
    expect((await fetch(ready.url, { method: "POST" })).status).toBe(405);
  });
});

test("the files that a start writes are readable only by their owner", async () => {
  const folder = temporaryFolder();
  const { ready } = await startExample(folder);
  expect(await managementToken(ready)).toMatch(/^ey/);
  const written = readdirSync(folder, { recursive: true, withFileTypes: true });
  expect(written.length).toBeGreaterThan(2);
  const readableByOthers = written.filter((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0);
  expect(readableByOthers.map(({ name }) => name)).toEqual([]);
});

describe("a second start", () => {
  test("changes nothing and prints the same line", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "data/postern.db");
    const variables = { PORT: String(await freePort()), CALLBACK_URLS: "http://localhost:5173/callback" };
    const first = await startExample(folder, variables);
    await first.stop();
    const before = dump(file);
    expect(before).toContain("http://localhost:5173/callback");

    const second = await startExample(folder, variables);
    expect(second.ready).toEqual(first.ready);
    await second.stop();
    expect(dump(file)).toBe(before);
  });

  test("adds new callbacks and their origins to the demo clients", async () => {
    const folder = temporaryFolder();
    const PORT = String(await freePort());
    await (await startExample(folder, { PORT })).stop();
    const { ready } = await startExample(folder, { PORT, CALLBACK_URLS: "https://app.example.test/cb?x=1, com.example.app:/cb" });
    const headers = { authorization: `Bearer ${await managementToken(ready)}` };
    for (const { client_id } of [ready.spa_client, ready.web_client]) {
      expect(await (await fetch(`${ready.url}api/v2/clients/${client_id}`, { headers })).json()).toMatchObject({
        callbacks: [ready.issuer, "https://app.example.test/cb?x=1", "com.example.app:/cb"],
        web_origins: [new URL(ready.issuer).origin, "https://app.example.test"],
        allowed_logout_urls: [ready.issuer, "https://app.example.test/cb?x=1", "com.example.app:/cb", "https://app.example.test"],
      });
    }
  });

  test("fails if the secret is missing, or is not the one that encrypted the database", async () => {
    const folder = temporaryFolder();
    await (await startExample(folder)).stop();
    const other = await runExample(folder, { POSTERN_SECRET: "another-secret-than-it-began-with-01" }).ended;
    expect(other).toMatchObject({ code: 2, errors: expect.stringContaining("POSTERN_SECRET") as string });

    rmSync(join(folder, "data/postern.secrets.json"));
    const lost = await runExample(folder, {}).ended;
    expect(lost).toMatchObject({ code: 2, errors: expect.stringContaining("data/postern.secrets.json") as string });
    expect(existsSync(join(folder, "data/postern.secrets.json"))).toBe(false);
  });

  test("detects a wrong secret in the environment if only the database exists", async () => {
    const folder = temporaryFolder();
    await (await startExample(folder, { POSTERN_SECRET: "the-secret-of-the-first-start-012345" })).stop();
    rmSync(join(folder, "data/postern.secrets.json"));
    const { code, output, errors } = await runExample(folder, { POSTERN_SECRET: "the-secret-of-the-second-start-01234" }).ended;
    expect({ code, output }).toEqual({ code: 2, output: [] });
    expect(errors).toMatch(/^POSTERN_SECRET cannot be used .*: the secret cannot decrypt .+\n$/);
  });

  test("accepts a new secret in front of the former one, and then the new one alone after all data was re-encrypted", async () => {
    const folder = temporaryFolder();
    const PORT = String(await freePort());
    const [former, next] = ["the-former-secret-0123456789-abcdefg", "the-next-secret-abcdefg-9876543210"];
    const jwks = async ({ url }: { readonly url: string }): Promise<unknown> => (await fetch(`${url}.well-known/jwks.json`)).json();
    const first = await startExample(folder, { PORT, POSTERN_SECRET: former });
    const keys = await jwks(first.ready);
    await first.stop();

    const { code, errors } = await runExample(folder, { PORT, POSTERN_SECRET: next }).ended;
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringMatching(/^POSTERN_SECRET cannot be used /) as string });

    const both = await startExample(folder, { PORT, POSTERN_SECRET: `${next}, ${former}` });
    expect(await jwks(both.ready)).toEqual(keys);
    expect(await managementToken(both.ready)).toMatch(/^ey/);
    // The server started a sweep when it started. Stopping the server waits for the end of the sweep.
    await both.stop();

    const alone = await startExample(folder, { PORT, POSTERN_SECRET: next });
    expect(await jwks(alone.ready)).toEqual(keys);
    expect(await managementToken(alone.ready)).toMatch(/^ey/);
  });

  test("does not print secrets again in the pretty format, and names the place where each is stored", async () => {
    const folder = temporaryFolder();
    const first = await startExample(folder);
    await first.stop();
    const { firstLine, output } = runExample(folder, { LOG_FORMAT: "pretty", WEB_CLIENT_SECRET: first.ready.web_client.client_secret });
    await firstLine;
    await expect.poll(() => output.join("\n")).toContain("  Password ");
    const printed = output.join("\n");
    const { management_client, web_client, user } = first.ready;
    for (const secret of [management_client.client_secret, web_client.client_secret, user.password]) expect(printed).not.toContain(secret);
    expect(printed).toMatch(/Management client secret +in data\/postern\.secrets\.json$/m);
    expect(printed).toMatch(/Web client secret +as WEB_CLIENT_SECRET says$/m);
    for (const shown of [management_client.client_id, web_client.client_id, user.email]) expect(printed).toContain(shown);
  });

  test("uses the same secrets as another first start at the same time", async () => {
    const folder = temporaryFolder();
    const [first, second] = await Promise.all([startExample(folder, {}, [script]), startExample(folder, {}, [script])]);
    expect(first.ready.management_client).toEqual(second.ready.management_client);
    for (const { ready } of [first, second]) expect(await managementToken(ready)).toMatch(/^ey/);
  });
});

describe.for(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("finishes a request in progress, accepts no other requests, and exits with 0", async () => {
    const { ready, stop, child } = await startExample(temporaryFolder(), { DATABASE_URL: "sqlite:./x/y.db" });
    const { management_client, issuer, url } = ready;
    const body = new URLSearchParams({ grant_type: "client_credentials", ...management_client, audience: `${issuer}api/v2/` }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": body.length };
    // One idle connection and one in use.
    await fetch(url);
    const slow = request(`${url}oauth/token`, { method: "POST", headers: { ...headers, expect: "100-continue" } });
    const answer = new Promise<{ status: number | undefined; connection: string | undefined; text: string }>((resolve, reject) => {
      slow.on("error", reject).on("response", (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () => resolve({ status: response.statusCode, connection: response.headers.connection, text }));
      });
    });
    // The server has received the headers when it answers with 100.
    await once(slow, "continue");
    slow.write(body.slice(0, 10));

    const ended = stop(signal);
    await sleep(200);
    expect(child.exitCode).toBeNull();
    await expect(fetch(url)).rejects.toThrow();
    slow.end(body.slice(10));
    expect(await answer).toMatchObject({ status: 200, connection: "close", text: expect.stringContaining("access_token") as string });
    const { code, output, errors } = await ended;
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    // The log is complete: it contains the last request.
    expect(output.at(-1)).toContain('"path":"/oauth/token","status":200');
  });
});

test.skipIf(process.platform !== "linux")("the server stops if the package manager that started it exits", async () => {
  const folder = temporaryFolder();
  const npx = join(folder, "npx");
  writeFileSync(npx, `require("node:child_process").spawn(process.execPath, [${JSON.stringify(script)}], { stdio: "inherit" });`);
  const { ready, child, ended } = await startExample(folder, { DATABASE_URL: "memory:", npm_lifecycle_event: "start" }, [npx]);
  child.kill("SIGKILL");
  // The pipes close when the server, which inherited them, has exited as well.
  const { output } = await ended;
  expect(output.at(-1)).toContain("package manager");
  await expect(fetch(ready.url)).rejects.toThrow();
});

describe("a start fails", () => {
  test("before it changes anything, and reports all invalid variables", async () => {
    const folder = temporaryFolder();
    const { code, output, errors } = await runExample(folder, {
      PORT: "http",
      LOG_FORMAT: "xml",
      DATABASE_URL: "oracle://scott:tiger@db/x",
    }).ended;
    expect({ code, output }).toEqual({ code: 2, output: [] });
    expect(errors).toMatch(/^PORT must .+\nDATABASE_URL must .+\nLOG_FORMAT must .+\n$/);
    expect(errors).not.toContain("tiger");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("if the secret is easy to guess, or one of several secrets is too short", async () => {
    const weak = await runExample(temporaryFolder(), { DATABASE_URL: "memory:", POSTERN_SECRET: "a".repeat(32) }).ended;
    expect(weak).toMatchObject({ code: 2, output: [], errors: expect.stringMatching(/^POSTERN_SECRET or .+\n$/) as string });
    const short = await runExample(temporaryFolder(), { POSTERN_SECRET: "the-next-secret-abcdefg-9876543210,tiger" }).ended;
    expect(short).toMatchObject({ code: 2, errors: "POSTERN_SECRET must have at least 32 characters\n" });
  });

  test("if the tenant id is reserved, before the database is opened", async () => {
    const folder = temporaryFolder();
    const { code, errors } = await runExample(folder, { TENANT_ID: "api" }).ended;
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringMatching(/^TENANT_ID must .*'api' cannot be a tenant id/) as string });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.for([
    ["an invalid callback", { CALLBACK_URLS: "https://a.test/cb,javascript:x()" }, "'callbacks[2]' must not have the scheme"],
    ["a password that is too long", { ADMIN_PASSWORD: "Aa1-".repeat(2000) }, "the user 'admin@example.com' cannot be used: 'password'"],
  ] as const)("with a one-line error for %s", async ([, variables, reason]) => {
    const { code, output, errors } = await runExample(temporaryFolder(), { DATABASE_URL: "memory:", ...variables }).ended;
    expect({ code, output }).toEqual({ code: 2, output: [] });
    expect(errors).toContain(reason);
    expect(errors).toMatch(/^The tenant cannot be set up: .+\n$/);
  });

  test("with the driver's error if the PGlite folder is a file", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "pg"), "");
    const { code, output, errors } = await runExample(folder, { DATABASE_URL: "pglite:./pg" }).ended;
    expect({ code, output }).toEqual({ code: 1, output: [] });
    expect(errors).toMatch(/^The database that DATABASE_URL names cannot be used: (?!.*\[object Object\]).*errno.*\n$/);
  });

  test("if the port is in use", async () => {
    const first = await startExample(temporaryFolder(), { DATABASE_URL: "memory:" });
    const folder = temporaryFolder();
    const PORT = new URL(first.ready.url).port;
    const { code, output, errors } = await runExample(folder, { PORT }).ended;
    expect({ code, output, errors }).toEqual({ code: 1, output: [], errors: expect.stringContaining(`PORT ${PORT}`) as string });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("if the database is unreachable, with an error that does not contain the database password", async () => {
    const DATABASE_URL = `postgres://me:geheim@127.0.0.1:${await freePort()}/x`;
    const { code, output, errors } = await runExample(temporaryFolder(), { DATABASE_URL }).ended;
    expect({ code, output }).toEqual({ code: 1, output: [] });
    expect(errors).toMatch(/DATABASE_URL.*ECONNREFUSED/);
    expect(errors).not.toContain("geheim");
  });
});

test("with an issuer that has a path, all URLs are below it", async () => {
  const port = await freePort();
  const variables = {
    PORT: String(port),
    ISSUER: "https://example.test/auth",
    DEV_PAGES: "public",
    DATABASE_URL: "sqlite::memory:",
    TENANT_ID: "acme",
  };
  const { ready } = await startExample(temporaryFolder(), variables);
  expect(ready).toMatchObject({ issuer: "https://example.test/auth/", url: `http://localhost:${port}/auth/`, tenant_id: "acme" });
  const status = async (path: string) => (await fetch(new URL(path, ready.url), { redirect: "manual" })).status;
  expect(await status("/auth/")).toBe(200);
  expect(await status("/auth")).toBe(308);
  expect(await status("/auth/dev/inbox")).toBe(200);
  expect(await status("/auth/.well-known/openid-configuration")).toBe(200);
  expect(await status("/.well-known/openid-configuration/auth")).toBe(200);
  expect(await status("/.well-known/oauth-authorization-server/auth")).toBe(200);
  for (const path of ["/", "/dev/inbox", "/.well-known/openid-configuration", "/author"])
    expect([path, await status(path)]).toEqual([path, 404]);
  expect(await (await fetch(ready.url)).text()).toContain('href="/auth/dev/inbox"');
  expect(await managementToken(ready)).toMatch(/^ey/);
});

test("values from the environment are used and not written to disk", async () => {
  const folder = temporaryFolder();
  const variables = {
    POSTERN_SECRET: "a-secret-of-the-host-0123456789-abcdef",
    ADMIN_CLIENT_ID: "backend",
    ADMIN_CLIENT_SECRET: "backend-secret-0123",
    ADMIN_EMAIL: "Root@Example.org",
    ADMIN_PASSWORD: "correct horse battery",
    SPA_CLIENT_ID: "spa",
    WEB_CLIENT_ID: "web",
    WEB_CLIENT_SECRET: "web-secret-0123456789",
  };
  const { ready } = await startExample(folder, variables);
  expect(ready).toMatchObject({
    management_client: { client_id: "backend", client_secret: "backend-secret-0123" },
    spa_client: { client_id: "spa" },
    web_client: { client_id: "web", client_secret: "web-secret-0123456789" },
    user: { email: "Root@Example.org", password: "correct horse battery" },
  });
  expect(await managementToken(ready)).toMatch(/^ey/);
  expect(existsSync(join(folder, "data/postern.secrets.json"))).toBe(false);
});

test("the pretty format prints the same values in a readable form", async () => {
  const folder = temporaryFolder();
  const { firstLine, output, stop } = runExample(folder, { LOG_FORMAT: "pretty" });
  await firstLine;
  await expect.poll(() => output.at(-2)).toContain("Password");
  const printed = output.join("\n");
  const storedSecrets = JSON.parse(readFileSync(join(folder, "data/postern.secrets.json"), "utf8")) as Record<string, string>;
  const { POSTERN_SECRET = "", ...shown } = storedSecrets;
  expect(Object.keys(shown)).toHaveLength(6);
  for (const value of Object.values(shown)) expect(printed).toMatch(new RegExp(`^  \\S.*  ${value}$`, "m"));
  expect(printed).not.toContain(POSTERN_SECRET);
  const [, url = ""] = /Postern is ready at (\S+)/.exec(printed) ?? [];
  await fetch(`${url}.well-known/jwks.json`);
  expect((await stop()).output.join("\n")).toMatch(/GET \/\.well-known\/jwks\.json 200/);
});
