import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { admin, jwt } from "better-auth/plugins";
import Database from "better-sqlite3";
import { createData } from "./better-auth-data.js";
import { facts, ready } from "./facts.js";
import { argon2id } from "./login.js";

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
  // Its own hash is scrypt. The servers are compared with the same hash.
  emailAndPassword: { enabled: true, password: { hash: hashPassword, verify: verifyPassword } },
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
// A start is measured with a database that an earlier start created.
const isNew = database.prepare("select 1 from sqlite_master where name = 'oauthClient'").get() === undefined;
if (isNew) await (await getMigrations(auth.options)).runMigrations();
const peer = isNew ? await createData(auth, database, origin) : {};

const answer = toNodeHandler(auth);
ready(
  createServer((request, response) => void answer(request, response)),
  peer,
);

async function hashPassword(password) {
  const salt = randomBytes(16);
  return `${salt.toString("hex")}:${(await argon2id(password, salt)).toString("hex")}`;
}

async function verifyPassword({ hash, password }) {
  const [salt, key] = hash.split(":").map((part) => Buffer.from(part, "hex"));
  return timingSafeEqual(await argon2id(password, salt), key);
}
