import { createHash, createHmac, pbkdf2Sync, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { compare } from "bcryptjs";
import { createPasswordHasher } from "@postern/core";
import { describe, expect, test } from "vitest";
import { list } from "../support/api.ts";
import { clientSecret, createTestPostern } from "../support/postern.ts";
import { managerOf } from "../support/api.ts";

const password = "correct horse battery";
const bare = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");
const salt = Buffer.from("a-salt-of-16-byt");
const digest = (name: string, ...texts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash(name);
  for (const text of texts) hash.update(text);
  return hash.digest();
};

/** A hash of the password in each format that Auth0 accepts. */
const hashes: { readonly [name: string]: object } = {
  "bcrypt $2b$": { password_hash: hashSync(password, 4) },
  "bcrypt $2a$": { password_hash: hashSync(password, 4).replace("$2b$", "$2a$") },
  "bcrypt as a custom hash": { custom_password_hash: { algorithm: "bcrypt", hash: { value: hashSync(password, 4) } } },
  "argon2id as a PHC string": { password_hash: await createPasswordHasher({ algorithm: "argon2id" }).hash(password) },
  pbkdf2: {
    custom_password_hash: {
      algorithm: "pbkdf2",
      hash: { value: `$pbkdf2-sha512$i=1000,l=64$${bare(salt)}$${bare(pbkdf2Sync(password, salt, 1000, 64, "sha512"))}`, encoding: "utf8" },
    },
  },
  scrypt: {
    custom_password_hash: {
      algorithm: "scrypt",
      hash: { value: scryptSync(password, salt, 64).toString("hex"), encoding: "hex" },
      salt: { value: salt.toString("base64"), encoding: "base64" },
      keylen: 64,
    },
  },
  // As in docs/move-from-better-auth.md: the hexadecimal text itself is the salt.
  "scrypt of Better Auth": {
    custom_password_hash: {
      algorithm: "scrypt",
      hash: {
        value: scryptSync(password, salt.toString("hex"), 64, { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }).toString("hex"),
        encoding: "hex",
      },
      salt: { value: salt.toString("hex"), encoding: "utf8" },
      keylen: 64,
      cost: 16_384,
      blockSize: 16,
      parallelization: 1,
    },
  },
  hmac: {
    custom_password_hash: {
      algorithm: "hmac",
      hash: {
        value: createHmac("sha256", "key of all").update(password).digest("hex"),
        encoding: "hex",
        digest: "sha256",
        key: { value: "key of all" },
      },
    },
  },
  ...Object.fromEntries(
    ["md5", "sha1", "sha256", "sha512"].flatMap((algorithm) => [
      [
        `${algorithm} without salt`,
        { custom_password_hash: { algorithm, hash: { value: digest(algorithm, password).toString("hex"), encoding: "hex" } } },
      ],
      [
        `${algorithm} with a salt before the password`,
        {
          custom_password_hash: {
            algorithm,
            hash: { value: digest(algorithm, "salty", password).toString("base64"), encoding: "base64" },
            salt: { value: "salty" },
          },
        },
      ],
      [
        `${algorithm} with a salt after the password`,
        {
          custom_password_hash: {
            algorithm,
            hash: { value: digest(algorithm, password, salt).toString("base64") },
            salt: { value: salt.toString("hex"), encoding: "hex", position: "suffix" },
          },
        },
      ],
    ]),
  ),
};

describe("an imported hash is replaced at the first login", async () => {
  const service = await createTestPostern({ crypto: { hasher: createPasswordHasher({ algorithm: "argon2id", bcrypt: compare }) } });
  await service.postern.seed({
    tenantId: "main",
    clients: [{ clientId: "app", secret: clientSecret, settings: { name: "App", app_type: "regular_web", grant_types: ["password"] } }],
  });
  const signIn = (username: string, typed: string) =>
    service.call("POST", "/oauth/token", {
      body: { grant_type: "password", client_id: "app", client_secret: clientSecret, username, password: typed },
    });

  const names = Object.keys(hashes);
  const emailOf = (name: string): string => `user-${names.indexOf(name)}@example.test`;
  const counts = await service.postern.importUsers(
    "main",
    names.map((name) => ({ email: emailOf(name), ...hashes[name] })),
    { connection: "Username-Password-Authentication", onRejected: (user, faults) => expect.fail(JSON.stringify([user, faults])) },
  );
  expect(counts).toEqual({ total: names.length, inserted: names.length, updated: 0, failed: 0 });

  test.each(names)("accepts the password of an imported hash, and replaces the hash at the first login: %s", async (name) => {
    const stored = async (): Promise<readonly string[]> => {
      const [user] = list(await (await managerOf(service))("GET", `/api/v2/users?${new URLSearchParams({ q: `email:${emailOf(name)}` })}`));
      const rows = await service.data.collections.passwords.find({
        where: { tenant_id: "main", user_id: String(user?.["user_id"]) },
        limit: 5,
      });
      return rows.map(({ hash }) => hash);
    };
    const [before = ""] = await stored();
    expect(await signIn(emailOf(name), "wrong")).toMatchObject({ status: 403, body: { error: "INVALID_CREDENTIALS" } });
    expect(await stored()).toEqual([before]);
    expect((await signIn(emailOf(name), password)).status).toBe(200);
    const after = await stored();
    if (!before.startsWith("$argon2id$")) expect(after).not.toContain(before);
    expect(after.every((hash) => hash.startsWith("$argon2id$"))).toBe(true);
    expect((await signIn(emailOf(name), password)).status).toBe(200);
  });
});
