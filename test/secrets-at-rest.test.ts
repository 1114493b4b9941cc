import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPasswordHasher } from "@postern/core";
import { createSqliteAdapter } from "@postern/kysely";
import { jsonBody, stringMember } from "./support/api.ts";
import { codeGrant, login, obtainTokens, offline, openService, refreshGrant, tokens, verifier } from "./support/flow.ts";
import { clientSecret } from "./support/postern.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "postern-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns all bytes of the database, including its write-ahead log. */
function bytes(): Buffer {
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
}

/** The settings of services that send codes or notifications: the end of the path, and the names of the secrets. */
const factorProviders = [
  ["phone/providers/twilio", "auth_token"],
  ["duo/settings", "skey"],
  ["push-notification/providers/sns", "aws_access_key_id", "aws_secret_access_key"],
  ["push-notification/providers/apns", "p12"],
  ["push-notification/providers/fcm", "server_key"],
  ["push-notification/providers/fcmv1", "server_credentials"],
] as const;

test("the database file contains no readable secret, password, code, token or private key after a complete run", async () => {
  const database = new Sqlite(join(folder, "postern.db"));
  const data = createSqliteAdapter({ database });
  await data.migrate();
  const secret = "the-installation-secret-of-this-test-run";
  const service = await openService({ data, crypto: { secret, hasher: createPasswordHasher({ concurrency: 2 }) } });
  const { web, ada, manage, exchange } = service;
  const secrets: { [description: string]: string } = {
    "the installation's secret": secret,
    "a seeded client secret": clientSecret,
    "a password": ada.password,
  };

  const browser = service.browser();
  const { code = "" } = await login(browser, web, ada, offline);
  secrets["an authorization code"] = code;
  const first = tokens(await exchange(codeGrant(web, code)));
  Object.assign(secrets, { "an access token": first.access, "an ID token": first.id, "a refresh token": first.refresh });
  secrets["a code verifier"] = verifier;
  const public1 = await obtainTokens(service, service.spa, ada, offline);
  const public2 = tokens(await exchange(refreshGrant(service.spa, public1.refresh)));
  Object.assign(secrets, {
    "a rotated refresh token": public1.refresh,
    "its successor": public2.refresh,
    "its access token": public2.access,
  });
  for (const [name, value] of browser.cookies) secrets[`the cookie ${name}`] = value;

  const client = await manage.create("/api/v2/clients", { name: "Another", app_type: "regular_web" });
  secrets["a generated client secret"] = stringMember(client, "client_secret");
  const rotated = jsonBody(await manage("POST", `/api/v2/clients/${stringMember(client, "client_id")}/rotate-secret`));
  secrets["a rotated client secret"] = stringMember(rotated, "client_secret");
  const upstream = {
    name: "upstream",
    strategy: "oidc",
    options: { client_id: "x", client_secret: "the-upstream-provider-secret", issuer: "https://up.example.test" },
  };
  await manage.create("/api/v2/connections", upstream);
  secrets["a connection's secret"] = upstream.options.client_secret;
  const provider = { name: "smtp", credentials: { smtp_host: "mail.example.test", smtp_pass: "the-mail-provider-password" } };
  await manage.create("/api/v2/emails/provider", provider);
  secrets["the password of a mail provider"] = provider.credentials.smtp_pass;
  for (const [path, ...names] of factorProviders) {
    const credentials = Object.fromEntries(names.map((name) => [name, `the-secret-${name}-of-a-service`]));
    jsonBody(await manage("PUT", `/api/v2/guardian/factors/${path}`, credentials));
    for (const [name, value] of Object.entries(credentials)) secrets[`${name} of ${path}`] = value;
  }
  await manage("PATCH", `/api/v2/users/${encodeURIComponent(ada.userId)}`, { password: "an entirely new password" });
  secrets["a changed password"] = "an entirely new password";

  database.pragma("wal_checkpoint");
  const file = bytes();
  expect(file.includes("ada@example.test")).toBe(true);
  for (const [description, value] of Object.entries(secrets)) {
    expect(value.length, description).toBeGreaterThan(8);
    expect(file.includes(value), description).toBe(false);
    expect(file.includes(Buffer.from(value).toString("base64").replace(/=+$/, "")), `${description} in base64`).toBe(false);
  }
  for (const mark of ["PRIVATE KEY", "MIIEv", "MIGHAgEA"]) expect(file.includes(mark), mark).toBe(false);
  await data.close?.();
  database.close();
});
