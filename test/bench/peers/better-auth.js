import { createServer } from "node:http";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { admin, jwt } from "better-auth/plugins";
import Database from "better-sqlite3";
import { facts, ready } from "./facts.js";

// better-auth has separate tables in the same file, with the same number of users.
const database = new Database(process.argv[2]);
for (const pragma of ["busy_timeout = 5000", "journal_mode = wal", "synchronous = normal"]) database.pragma(pragma);
const origin = facts.issuer.replace(/\/$/, "");

const auth = betterAuth({
  baseURL: origin,
  basePath: "/api/auth",
  secret: facts.keyRing,
  database,
  telemetry: { enabled: false },
  rateLimit: { enabled: false },
  logger: { level: "error" },
  emailAndPassword: { enabled: true },
  disabledPaths: ["/token"],
  plugins: [
    admin(),
    jwt({ jwks: { keyPairConfig: { alg: "RS256", modulusLength: 2048 } } }),
    oauthProvider({
      loginPage: "/login",
      consentPage: "/consent",
      scopes: ["openid", "profile", "email", "offline_access", "read", "write"],
      resources: [{ identifier: facts.audience }],
      enforcePerClientResources: false,
      clientPrivileges: () => true,
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();

const { headers, response } = await auth.api.signUpEmail({
  body: { email: "admin@example.com", password: facts.secret, name: "Admin" },
  returnHeaders: true,
});
database.prepare("update user set role = 'admin' where id = ?").run(response.user.id);
const cookie = headers
  .getSetCookie()
  .map((text) => text.split(";", 1)[0])
  .join("; ");
const insert = database.prepare(
  "insert into user (id, name, email, emailVerified, createdAt, updatedAt, role) values (?, ?, ?, 1, ?, ?, 'user')",
);
database.transaction(() => {
  facts.userIds.forEach((id, i) => {
    const created = new Date(Date.UTC(2025, 0, 1) + i * 1000).toISOString();
    insert.run(id, `Person ${i}`, `person${i}@example.com`, created, created);
  });
})();
const client = await auth.api.adminCreateOAuthClient({
  headers: new Headers({ cookie }),
  body: {
    redirect_uris: ["https://app.example/callback"],
    grant_types: ["client_credentials"],
    token_endpoint_auth_method: "client_secret_post",
    scope: "read write",
    client_credentials_scopes: ["read", "write"],
  },
});

const answer = toNodeHandler(auth);
ready(
  createServer((request, response) => void answer(request, response)),
  { cookie, origin, clientId: client.client_id, clientSecret: client.client_secret },
);
