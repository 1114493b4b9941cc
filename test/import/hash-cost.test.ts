import { createPasswordHasher, type ImportFault } from "@postern/core";
import { describe, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { managerOf } from "../support/api.ts";
import { clientSecret, createTestPostern } from "../support/postern.ts";

const password = "correct horse battery";
const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString("base64").replace(/=+$/, "");

/** The key has four blocks, and each block needs as many iterations as the maximum cost of a whole hash. */
const expensive = `$pbkdf2-sha256$i=5000000,l=128$${base64(16)}$${base64(128)}`;

describe("a hash that exceeds the maximum cost", async () => {
  const events: object[] = [];
  const logger = { log: (event: object) => events.push(event) };
  const service = await createTestPostern({ logger, crypto: { hasher: createPasswordHasher() } });
  await service.postern.seed({
    tenantId: "main",
    clients: [{ clientId: "app", secret: clientSecret, settings: { name: "App", app_type: "regular_web", grant_types: ["password"] } }],
  });
  const signIn = (username: string) =>
    service.call("POST", "/oauth/token", {
      body: { grant_type: "password", client_id: "app", client_secret: clientSecret, username, password },
    });
  const manage = await managerOf(service);
  const connection = "Username-Password-Authentication";

  test("is rejected by an import, which names the cost and the maximum", async () => {
    const faults: ImportFault[] = [];
    const users = [
      { email: "eve@example.test", password_hash: expensive },
      { email: "fay@example.test", custom_password_hash: { algorithm: "pbkdf2", hash: { value: expensive, encoding: "utf8" } } },
      { email: "gus@example.test", password_hash: "md5:secret" },
    ];
    const counts = await service.postern.importUsers("main", users, { connection, onRejected: (_, found) => faults.push(...found) });
    expect(counts).toMatchObject({ inserted: 0, failed: 3 });
    const message = "This service cannot verify this hash: it needs 20000000 units of work, but the maximum is 5000000.";
    expect(faults).toEqual([
      { code: "UNSUPPORTED_HASH", message, path: "password_hash" },
      { code: "UNSUPPORTED_HASH", message, path: "custom_password_hash" },
      { code: "UNSUPPORTED_HASH", message: "This service cannot verify this hash.", path: "password_hash" },
    ]);
  });

  test("is not computed if it is stored already; the operator's log contains the reason, and a new password replaces the hash", async () => {
    const created = jsonBody(
      await manage("POST", "/api/v2/users", { connection, email: "ada@example.test", password: "another password 1" }),
      201,
    );
    const userId = String(created["user_id"]);
    await service.data.collections.passwords.update({ tenant_id: "main", user_id: userId }, { set: { hash: expensive } });
    expect(await signIn("ada@example.test")).toMatchObject({ status: 500, body: { error: "server_error" } });
    const result = events.find((event) => "event" in event && event.event === "password_hash_unsupported");
    expect(result).toMatchObject({ level: "error", user_id: userId, error: { name: "UnsupportedHashError" } });
    expect(result).toHaveProperty("error.message", expect.stringContaining("it needs 20000000 units of work, but the maximum is 5000000"));
    expect(JSON.stringify(result)).not.toContain(expensive);

    jsonBody(await manage("PATCH", `/api/v2/users/${userId}`, { connection, password }));
    expect((await signIn("ada@example.test")).status).toBe(200);
  });
});
