import { spawnSync } from "node:child_process";
import { scryptSync } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import * as app from "@postern/app";
import type { Mail } from "@postern/core";
import * as integration from "@postern/express";
import express from "express";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { totpAt } from "./factors/support.ts";
import { examples, runShell, runTypeScript } from "./support/guides.ts";
import { serve, type ServedPostern } from "./support/http.ts";

/** Runs the examples of guides as they are printed. */

const hasTools = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).error === undefined);
const password = "correct horse battery";
const audience = "https://api.example.com";
const modules = { "@postern/app": app, "@postern/express": integration, express: { default: express } };

let service: ServedPostern;
const mails: Mail[] = [];
beforeAll(async () => {
  service = await serve(() => ({ messages: { mail: { send: async (mail) => void mails.push(mail) } } }));
  const settings = {
    name: "App",
    app_type: "native",
    grant_types: ["password", "http://auth0.com/oauth/grant-type/mfa-otp"],
    callbacks: ["https://app.example.test/callback"],
  } as const;
  await service.postern.seed({ tenantId: "main", clients: [{ clientId: "app", settings }], user: { email: "ada@example.com", password } });
});
afterAll(() => service.close());

const tenant = () => service.postern.tenant("main");
const names = () => ({ postern: service.postern, clientId: "app" });
const variables = async () => ({ ISSUER: `${service.origin}/`, TOKEN: await service.token(), CLIENT_ID: "app" });

/** Runs the TypeScript blocks below a heading. @returns the variables of the last one. */
async function run(guide: string, heading: string, more: { readonly [name: string]: unknown } = {}) {
  let declared = {};
  for (const code of examples(guide, heading, "ts")) declared = await runTypeScript(code, { ...names(), ...more }, modules);
  return declared as { readonly [name: string]: unknown };
}

/** Signs a user in with a password. @returns the response of the token endpoint. */
async function signIn(username: string, more: { readonly [name: string]: string } = {}): Promise<{ readonly [name: string]: string }> {
  const form = { grant_type: "password", client_id: "app", username, password, ...more };
  const response = await fetch(`${service.origin}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  return (await response.json()) as { readonly [name: string]: string };
}

describe("docs/management-token.md", () => {
  const secret = "a-secret-that-openssl-printed-0123456789";

  test.runIf(hasTools)("gets a token that the Management API accepts", async () => {
    vi.stubEnv("BACKEND_SECRET", secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    await run("management-token", "Create a client");
    const script = [
      ...examples("management-token", "Request the token", "sh"),
      ...examples("management-token", "Check that it works", "sh"),
    ];
    const printed = await runShell(script.join("\n"), { ISSUER: `${service.origin}/`, BACKEND_SECRET: secret });
    expect(JSON.parse(printed)).toMatchObject([{ email: expect.any(String) }]);
  });

  test("a client with `grants` has only the scopes that the seed names", async () => {
    vi.stubEnv("EXPORT_SECRET", secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    await run("management-token", "Allow only some scopes");
    const form = { grant_type: "client_credentials", client_id: "export", client_secret: secret, audience: `${service.origin}/api/v2/` };
    const response = await fetch(`${service.origin}/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    const { access_token: token } = (await response.json()) as { readonly access_token: string };
    const statuses = ["users", "clients"].map(async (path) => (await service.call("GET", `/api/v2/${path}`, { token })).status);
    expect(await Promise.all(statuses)).toEqual([200, 403]);
  });
});

describe("docs/roles.md", () => {
  const requested = { audience, scope: "openid read:invoices write:invoices" };

  test("a token has the permissions of the user's roles, and the API checks them", async () => {
    await run("roles", "Create the API and a role");
    const before = decodeJwt((await signIn("ada@example.com", requested))["access_token"] ?? "");
    expect(before).toMatchObject({ scope: "openid", permissions: [] });
    await run("roles", "Assign the role");
    const { access_token: token = "" } = await signIn("ada@example.com", requested);
    const [claims = ""] = examples("roles", "Check that it works", "json");
    expect(decodeJwt(token)).toMatchObject(JSON.parse(claims));

    const { api } = await run("roles", "Check the permission in your API");
    const server = (api as express.Express).listen(0);
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/invoices`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(url, { headers })).status).toBe(200);
    const refused = await fetch(url, { method: "POST", headers });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([403, expect.stringContaining("insufficient_scope")]);
  });

  test.runIf(hasTools)("assigns the role with curl", async () => {
    const { users, usersByEmail, roles } = tenant();
    const [user] = await usersByEmail.list({ email: "ada@example.com" });
    const [role] = await roles.list({ name_filter: "Bookkeeper" });
    const assigned = { roles: [role?.id ?? ""] };
    await users.roles.remove(user?.user_id ?? "", assigned);
    for (const code of examples("roles", "Assign the role", "sh")) await runShell(code, await variables());
    expect(await users.roles.list(user?.user_id ?? "")).toMatchObject([{ name: "Bookkeeper" }]);
  });

  test.each([
    [{ enforce_policies: false, token_dialect: "access_token_authz" }, "openid read:invoices write:invoices", undefined],
    [{ enforce_policies: true, token_dialect: "access_token" }, "openid read:invoices", undefined],
    [{ enforce_policies: true, token_dialect: "rfc9068_profile" }, "openid read:invoices", undefined],
    [{ enforce_policies: true, token_dialect: "rfc9068_profile_authz" }, "openid read:invoices", ["read:invoices"]],
  ] as const)("the table of the two settings is true for %o", async (settings, scope, permissions) => {
    await service.postern.seed({ tenantId: "main", apis: [{ identifier: audience, settings, sync: true }] });
    const claims = decodeJwt((await signIn("ada@example.com", requested))["access_token"] ?? "");
    expect([claims["scope"], claims["permissions"]]).toEqual([scope, permissions]);
  });
});

describe("docs/organizations.md", () => {
  test("creates an organization with a member, and invites a user in code and with curl", async () => {
    await run("organizations", "Create an organization");
    await run("organizations", "Invite a user", { console: { log: () => {} } });
    if (hasTools) for (const code of examples("organizations", "Invite a user", "sh")) await runShell(code, await variables());
    await expect.poll(() => mails.filter(({ template }) => template === "user_invitation").length).toBe(hasTools ? 2 : 1);
    expect(mails.find(({ template }) => template === "user_invitation")).toMatchObject({
      to: "bob@example.com",
      link: expect.stringMatching(/\/u\/invitation\?invitation=/),
    });
    const printed: unknown[] = [];
    await run("organizations", "Check that it works", { console: { log: (...parts: readonly unknown[]) => void printed.push(parts) } });
    expect(printed).toEqual([["ada@example.com", ["Editor"]]]);
  });
});

describe("docs/move-from-better-auth.md", () => {
  // Recorded with better-auth 1.7.25: an encrypted key, and its text.
  const encrypted = "d87df6d91ee19e7f345183632f09a58f9444afd1da9cf0567b8830afe8e0aeef4e362cdc5ff2cf3240ac87ed07ad08ae3f0d212cec717a254da9";
  const decrypted = new Map([
    [encrypted, "Pdfr6x1eR3xbWkQqN7nMfLouGOBXRK6T"],
    ["imported", "base32:jbswy3dpehpk3pxpjbswy3dpehpk3pxp"],
  ]);
  const salt = "00112233445566778899aabbccddeeff";
  const key = scryptSync(password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }).toString("hex");
  const row = (id: string, more: object = {}) => ({
    id,
    email: `${id}@better.example`,
    emailVerified: 1,
    name: id,
    password: `${salt}:${key}`,
    twoFactorEnabled: false,
    secret: null,
    ...more,
  });

  test("imports users with their passwords and authenticator apps", async () => {
    const rows = [
      row("ann"),
      row("ben", { twoFactorEnabled: true, secret: encrypted }),
      row("cleo", { twoFactorEnabled: 1, secret: "imported" }),
    ];
    const started = row("dan", { secret: "imported" }); // Dan has not confirmed the app.
    const database = { query: () => [...rows, started] };
    const symmetricDecrypt = async ({ data }: { readonly data: string }) => decrypted.get(data);
    const [code = ""] = examples("move-from-better-auth", "Import users, passwords and authenticator apps", "ts");
    await runTypeScript(withoutDeclarations(code), { ...names(), database, symmetricDecrypt });

    await tenant().guardian.factors.replace("otp", { enabled: true });
    await tenant().guardian.policies.replace(["all-applications"]);
    onTestFinished(async () => void (await tenant().guardian.policies.replace([])));
    for (const [id, secret] of [
      ["ben", "KBSGM4RWPAYWKURTPBRFO22ROFHDO3SNMZGG65KHJ5BFQUSLGZKA"],
      ["cleo", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    ] as const) {
      const { mfa_token = "" } = await signIn(`${id}@better.example`);
      const otp = totpAt(secret, Date.now());
      const grant = "http://auth0.com/oauth/grant-type/mfa-otp";
      expect(await signIn(`${id}@better.example`, { grant_type: grant, mfa_token, otp })).toMatchObject({
        access_token: expect.any(String),
      });
    }
    for (const id of ["ann", "dan"]) expect(await tenant().users.authenticationMethods.list(`auth0|${id}`)).toEqual([]);
  });

  test("imports passkeys, and leaves existing ones unchanged", async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    const x = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
    // A COSE key (RFC 9052 section 7) as a CBOR map: kty 1 is OKP, alg 3 is EdDSA (-8), crv -1 is Ed25519 (6), x -2.
    const cose = Uint8Array.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20, ...x]);
    const passkey = {
      userId: "ann",
      name: "Laptop",
      credentialID: "AAECAwQFBgcICQoLDA0ODw",
      publicKey: Buffer.from(cose).toString("base64"),
      deviceType: "multiDevice",
      backedUp: 1,
      transports: "internal,hybrid",
    };
    const [code = ""] = examples("move-from-better-auth", "Import passkeys", "ts");
    const errors: unknown[] = [];
    const console = { error: (...parts: readonly unknown[]) => void errors.push(parts) };
    for (let times = 0; times < 2; times++) {
      await runTypeScript(withoutDeclarations(code), { ...names(), passkeyRows: [passkey], console });
    }
    expect(errors).toMatchObject([["ann", expect.stringContaining("already enrolled")]]);
    expect(await tenant().users.authenticationMethods.list("auth0|ann")).toMatchObject([
      {
        type: "passkey",
        name: "Laptop",
        key_id: passkey.credentialID,
        public_key: passkey.publicKey,
        relying_party_identifier: "example.com",
        credential_device_type: "multi_device",
        credential_backed_up: true,
        transports: ["internal", "hybrid"],
      },
    ]);
  });

  /** Removes the declarations of names that the test passes. */
  const withoutDeclarations = (code: string): string => code.replaceAll(/^declare const .*\n/gm, "");
});
