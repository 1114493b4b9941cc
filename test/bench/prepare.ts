import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createPostern, type Postern } from "@postern/core";
import type { CreateClient } from "@postern/core/api";
import type { SqlAdapter } from "@postern/kysely";
import { openDatabase } from "@postern/kysely/url";
import { keyRingFromSecrets } from "../../examples/standalone/src/secrets.ts";
import { databaseUrl } from "./lib/database-url.ts";
import { loginUsers } from "./lib/measure-logins.ts";
import { perRound, type Facts } from "./operation.ts";
import { fillWithUsers } from "./users.ts";
import { benchApp, codeText, fillWithVisits, benchVerifier } from "./visits.ts";

/**
 * Creates the database from which every server gets a copy. The database has a tenant that signs with RS256 and one
 * that signs with ES256, a client in each, 10,000 users, and an app in which some of the users have sessions. Runs as a
 * program: `node prepare.js <database> <facts> <rounds>`. The database is a path or a URL.
 */
const [, , database = "", factsPath = "", rounds = ""] = process.argv;
const issuer = "http://127.0.0.1:3000/";
const audience = "https://api.example/";
const secret = "a-client-secret-that-is-long-enough-for-a-benchmark";
const keyRing = "0123456789abcdef0123456789abcdef";

const appSettings: CreateClient = {
  name: "Bench",
  app_type: "regular_web",
  callbacks: [benchApp.redirectUri],
  refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
};

const data = await openDatabase(databaseUrl(database));
await data.migrate();
for (const alg of ["RS256", "ES256"] as const) await prepareTenant(data, alg);
const main = service(data, "main", "RS256");
const userIds = await fillWithUsers(data, "main", 10_000);
await fillWithVisits(data, "main", userIds, Number(rounds));
const key = (alg: "RS256" | "ES256", pair: { readonly privateKey: KeyObject }) => ({
  kid: `bare-${alg}`,
  privateKey: pair.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
});
const facts: Facts = {
  issuer,
  audience,
  secret,
  keyRing,
  token: await tokenOf(main, "bench-manager", `${issuer}api/v2/`),
  otherToken: await tokenOf(service(data, "es256", "ES256"), "bench-manager-es256", `${issuer}api/v2/`),
  userToken: await userTokenOf(main),
  userIds,
  app: benchApp,
  refreshTokens: Number(rounds) * perRound.connections + 1,
  loginUsers,
  keys: {
    RS256: key("RS256", generateKeyPairSync("rsa", { modulusLength: 2048 })),
    ES256: key("ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })),
  },
  documents: {
    discovery: await textOf(main, ".well-known/openid-configuration"),
    jwks: await textOf(main, ".well-known/jwks.json"),
  },
};
writeFileSync(factsPath, JSON.stringify(facts));
await data.close();

function service(data: SqlAdapter, tenantId: string, signingAlgorithm: "RS256" | "ES256"): Postern {
  return createPostern({ issuer, data, crypto: { secret: keyRingFromSecrets(keyRing), signingAlgorithm }, defaultTenantId: tenantId });
}

async function prepareTenant(data: SqlAdapter, alg: "RS256" | "ES256"): Promise<void> {
  const tenantId = alg === "RS256" ? "main" : "es256";
  const postern = service(data, tenantId, alg);
  const managerId = alg === "RS256" ? "bench-manager" : "bench-manager-es256";
  const settings = { name: "Bench", app_type: "non_interactive" } as const;
  await postern.seed({
    tenantId,
    clients: [
      { clientId: managerId, secret, settings, managesTenant: true },
      { clientId: `bench-${alg}`, secret, settings },
      ...(alg === "RS256" ? [{ clientId: benchApp.clientId, secret, settings: appSettings }] : []),
    ],
  });
  const token = await tokenOf(postern, managerId, `${issuer}api/v2/`);
  const scope = ["read", "write", "remove"];
  const scopes = scope.map((value) => ({ value }));
  await post(postern, token, "resource-servers", { identifier: audience, name: "Bench", signing_alg: alg, scopes });
  await post(postern, token, "client-grants", { client_id: `bench-${alg}`, audience, scope });
}

async function post(postern: Postern, token: string, path: string, body: object): Promise<unknown> {
  const headers = { "content-type": "application/json", ...(token !== "" && { authorization: `Bearer ${token}` }) };
  const response = await postern.fetch(
    new Request(issuer + (token === "" ? "" : "api/v2/") + path, { method: "POST", headers, body: JSON.stringify(body) }),
  );
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function tokenOf(postern: Postern, clientId: string, forAudience: string): Promise<string> {
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: secret, audience: forAudience };
  const { access_token: token } = (await post(postern, "", "oauth/token", body)) as { readonly access_token: string };
  return token;
}

/**
 * Exchanges a code for a user token. Its number follows the numbers that the rounds and the comparison before them use.
 */
async function userTokenOf(postern: Postern): Promise<string> {
  const { clientId, redirectUri } = benchApp;
  const code = codeText(Number(rounds) * perRound.requests + 1);
  const client = { client_id: clientId, client_secret: secret };
  const body = { grant_type: "authorization_code", ...client, code, code_verifier: benchVerifier, redirect_uri: redirectUri };
  const { access_token: token } = (await post(postern, "", "oauth/token", body)) as { readonly access_token: string };
  return token;
}

async function textOf(postern: Postern, path: string): Promise<string> {
  return (await postern.fetch(new Request(issuer + path))).text();
}
