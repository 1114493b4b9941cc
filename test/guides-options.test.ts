import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { blocksOf, examples, runShell, runTypeScript } from "./support/guides.ts";
import { serve, type ServedPostern } from "./support/http.ts";

/** The examples of the guides that change a connection or a client leave its other settings unchanged. */

const connection = "Username-Password-Authentication";
const hasTools = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).error === undefined);

let service: ServedPostern;
let connectionId: string;
beforeAll(async () => {
  service = await serve();
  connectionId = (await readConnection()).id;
});
afterAll(() => service.close());

/** Options that differ from every default. */
const options = {
  passwordPolicy: "excellent",
  password_complexity_options: { min_length: 14 },
  password_history: { enable: true, size: 5 },
  password_no_personal_info: { enable: true },
  brute_force_protection: true,
  disable_signup: true,
  attributes: { email: { identifier: { active: true } }, username: { identifier: { active: true } } },
  authentication_methods: {
    password: { enabled: true, signup_behavior: "block" },
    passkey: { enabled: false },
    email_otp: { enabled: true },
  },
  passkey_options: { challenge_ui: "button", local_enrollment_enabled: false },
} as const;

const grants = ["authorization_code", "implicit", "client_credentials"];

const resetConnection = () =>
  service.postern.tenant("main").connections.update(connectionId, { options, display_name: "Staff", metadata: { team: "a" } });

beforeEach(async () => {
  const { clients } = service.postern.tenant("main");
  await resetConnection();
  await service.postern.seed({ tenantId: "main", clients: [{ clientId: "app", settings: { name: "App", app_type: "native" } }] });
  await clients.update("app", {
    grant_types: grants,
    mobile: { ios: { team_id: "ABCDE12345", app_bundle_identifier: "com.example.old" } },
  });
});

async function readConnection() {
  const [found] = await service.postern.tenant("main").connections.list({ name: connection });
  if (found === undefined) throw new Error("no connection");
  return found;
}

const readClient = () => service.postern.tenant("main").clients.get("app");
const names = () => ({ postern: service.postern, clientId: "app" });
const variables = async () => ({
  ISSUER: `${service.origin}/`,
  TOKEN: await service.token(),
  CONNECTION_ID: connectionId,
  CLIENT_ID: "app",
});

test("docs/passkeys.md enables passkeys in code, and changes no other setting of the connection", async () => {
  for (const code of examples("passkeys", "Enable passkeys", "ts")) {
    await resetConnection();
    const before = await readConnection();
    await runTypeScript(code, names());
    expect(await readConnection()).toEqual(withPasskeys(before));
  }
});

test.runIf(hasTools)("docs/passkeys.md enables passkeys with curl, and changes no other setting of the connection", async () => {
  const before = await readConnection();
  for (const code of examples("passkeys", "Enable passkeys", "sh")) await runShell(code, await variables());
  expect(await readConnection()).toEqual(withPasskeys(before));
});

function withPasskeys(before: Awaited<ReturnType<typeof readConnection>>) {
  const methods = { ...options.authentication_methods, passkey: { enabled: true } };
  return { ...before, options: { ...before.options, authentication_methods: methods } };
}

const passkeyGrant = "urn:okta:params:oauth:grant-type:webauthn";
const otpGrant = "http://auth0.com/oauth/grant-type/passwordless/otp";
const mfaGrants = ["mfa-otp", "mfa-oob", "mfa-recovery-code"].map((name) => `http://auth0.com/oauth/grant-type/${name}`);

test.each([
  ["passkey-api", "Enable passkeys", [passkeyGrant, "refresh_token"]],
  ["passwordless", "Create the connection", ["refresh_token", otpGrant]],
  ["mfa-api", "Enable the factors", ["password", "refresh_token", ...mfaGrants]],
])("docs/%s.md adds grants to a client and changes no other setting, in code and with curl", async (guide, heading, added) => {
  const before = await readClient();
  const expected = { ...before, grant_types: expect.toSatisfy((list: string[]) => isSameSet(list, [...grants, ...added])) };
  for (const code of examples(guide, heading, "ts")) await runTypeScript(code, names());
  expect(withoutAndroid(await readClient())).toEqual(expected);

  if (!hasTools) return;
  const { clients, connections } = service.postern.tenant("main");
  await clients.update("app", { grant_types: grants });
  const [email] = await connections.list({ name: "email" });
  if (email !== undefined) await connections.delete(email.id);
  for (const code of examples(guide, heading, "sh")) await runShell(code, await variables());
  expect(withoutAndroid(await readClient())).toEqual(expected);
});

const isSameSet = (a: readonly string[], b: readonly string[]) => a.length === b.length && b.every((one) => a.includes(one));

function withoutAndroid({ mobile, ...rest }: Awaited<ReturnType<typeof readClient>>) {
  return { ...rest, ...(mobile && { mobile: { ...(mobile.ios && { ios: mobile.ios }) } }) };
}

const guides = readdirSync(join(import.meta.dirname, "../docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -".md".length));

test("no example of a guide sends `options` of an existing connection without the stored ones", () => {
  const replacing = guides.flatMap((guide) =>
    blocksOf(guide)
      .filter(({ code }) => /PATCH\s+"?\$\{?ISSUER\}?api\/v2\/connections\/[^\s"/]+"?[\s\S]*?["']?options["']?\s*:\s*\{/.test(code))
      .filter(({ code }) => !code.includes(".options *"))
      .map(({ heading }) => `${guide}: ${heading}`),
  );
  expect(replacing).toEqual([]);
  const updates = guides.flatMap((guide) =>
    blocksOf(guide).flatMap(({ code }) => code.match(/connections\.update\([\s\S]*?options: \{[^}]*/g) ?? []),
  );
  expect(updates.filter((code) => !/\.\.\.\w+\.options/.test(code))).toEqual([]);
});
