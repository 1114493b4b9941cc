import type { LogEntry, SourceUser } from "@postern/core";
import { describe, expect, test } from "vitest";
import { list, jsonBody, stringMember } from "../support/api.ts";
import { sendAuthorization, fakeHasher, login, loginState, openService, screenName, submitStep } from "../support/flow.ts";
import { createOutbox } from "../support/outbox.ts";

const password = "correct horse battery";
const connection = "Username-Password-Authentication";

async function open() {
  const users = new Map<string, SourceUser>();
  const lookups: string[] = [];
  const logEntries: LogEntry[] = [];
  const outbox = createOutbox();
  let state: "up" | "down" | "hangs" = "up";
  const respond = async <T>(found: T): Promise<T> => {
    if (state === "down") throw new Error("ECONNREFUSED");
    return state === "hangs" ? new Promise(() => {}) : found;
  };
  const service = await openService({
    messages: { mail: outbox.mail },
    logger: { log: (entry) => void logEntries.push(entry) },
    userSource: {
      login: async (operation) => {
        lookups.push(`login ${operation.identifier}`);
        const found = users.get(operation.identifier);
        if (found === undefined) return respond("unknown");
        return respond(operation.password === password ? found : "wrong-password");
      },
      getUser: async ({ identifier }) => {
        lookups.push(`getUser ${identifier}`);
        return respond(users.get(identifier));
      },
    },
  });
  const [database] = list(await service.manage("GET", "/api/v2/connections?strategy=auth0"));
  const setMode = (on: boolean) =>
    service.manage("PATCH", `/api/v2/connections/${String(database?.["id"])}`, { options: { import_mode: on } });
  await setMode(true);
  const app = await service.register({ secret: true, grant_types: ["password", "authorization_code"] });
  const grant = (username: string, typed = password) =>
    service.exchange({ grant_type: "password", client_id: app.clientId, client_secret: app.secret ?? "", username, password: typed });
  return {
    service,
    users,
    lookups,
    logEntries,
    outbox,
    grant,
    setMode,
    set: (next: typeof state) => void (state = next),
  };
}

describe("users of an external database", async () => {
  const { service, users, lookups, logEntries, outbox, grant, setMode, set } = await open();
  const known = async (email: string) => list(await service.manage("GET", `/api/v2/users?${new URLSearchParams({ q: `email:${email}` })}`));
  const failures = () => logEntries.filter(({ event }) => event === "user_source_failed");

  test("are imported at their first login, and not looked up again", async () => {
    users.set("ann@example.test", {
      user_id: "old|7",
      email: "Ann@example.test",
      email_verified: true,
      name: "Ann",
      app_metadata: { plan: "gold" },
    });
    expect((await grant("ANN@example.test")).status).toBe(200);
    expect(await known("ann@example.test")).toMatchObject([
      { user_id: "old|7", email_verified: true, name: "Ann", app_metadata: { plan: "gold" }, logins_count: 1 },
    ]);
    users.delete("ann@example.test");
    const before = lookups.length;
    expect((await grant("ann@example.test")).status).toBe(200);
    expect(await grant("ann@example.test", "wrong")).toMatchObject({ status: 403, body: { error: "INVALID_CREDENTIALS" } });
    expect(lookups).toHaveLength(before);
    await login(service.browser(), service.web, { email: "ann@example.test", password, userId: "old|7" });
  });

  test("get the same response to a wrong password as unknown users, which imports no user and counts as a failed login", async () => {
    users.set("bea@example.test", { email: "bea@example.test" });
    const [wrong, noUser] = [await grant("bea@example.test", "wrong"), await grant("none@example.test", "wrong")];
    expect(wrong).toMatchObject({ status: 403, body: { error: "INVALID_CREDENTIALS" } });
    expect(noUser.body).toEqual(wrong.body);
    expect(await known("bea@example.test")).toEqual([]);
    for (let tries = 0; tries < 2; tries++) await grant("bea@example.test", "wrong");
    expect(await grant("bea@example.test")).toMatchObject({ status: 403, body: { error: "TOO_MANY_FAILED_LOGINS" } });
  });

  test("get an error that reports an outage instead of a wrong password, which does not count as a failed login", async () => {
    users.set("cat@example.test", { email: "cat@example.test" });
    set("down");
    for (let tries = 0; tries < 4; tries++)
      expect(await grant("cat@example.test")).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(failures().at(-1)).toMatchObject({ level: "error", connection });
    set("up");
    expect((await grant("cat@example.test")).status).toBe(200);
  });

  test("are rejected without the identifier that the visitor entered or with invalid data", async () => {
    users.set("dot@example.test", { email: service.ada.email });
    expect((await grant("dot@example.test")).status).toBe(503);
    users.set("dot@example.test", { email: "dot@example.test", roles: ["admin"] } as SourceUser);
    expect((await grant("dot@example.test")).status).toBe(503);
    expect(failures().length).toBeGreaterThan(1);
    expect(await known("dot@example.test")).toEqual([]);
  });

  test("are created once by parallel first logins, which all succeed", async () => {
    users.set("eve@example.test", { user_id: "old|9", email: "eve@example.test" });
    const responses = await Promise.all(Array.from({ length: 3 }, () => grant("eve@example.test")));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await known("eve@example.test")).toHaveLength(1);
    const rows = await service.data.collections.passwords.find({ where: { tenant_id: "main", user_id: "old|9" }, limit: 10 });
    expect(rows).toHaveLength(1);
  });

  test("get a reset mail if they forgot the password, and can use the old password until a new one is set", async () => {
    users.set("fay@example.test", { email: "fay@example.test" });
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: "fay@example.test" });
    expect(screenName(await submitStep(browser, state, { action: "forgot-password" }))).toBe("reset-password");
    expect(screenName(await submitStep(browser, state, { action: "send-reset", identifier: "fay@example.test" }))).toBe("code");
    expect(lookups.at(-1)).toBe("getUser fay@example.test");
    const [fay] = await known("fay@example.test");
    expect(fay).toMatchObject({ email: "fay@example.test" });
    expect(outbox.sent.some(({ to }) => to === "fay@example.test")).toBe(true);
    // No password was set yet: the old one is still valid, and the user is imported.
    expect((await grant("fay@example.test")).status).toBe(200);
    expect(
      await fakeHasher.verify(
        password,
        stringMember(
          (
            await service.data.collections.passwords.find({ where: { tenant_id: "main", user_id: String(fay?.["user_id"]) }, limit: 1 })
          )[0] ?? {},
          "hash",
        ),
      ),
    ).toBe("match");
  });

  test("are not looked up if the connection does not import users", async () => {
    users.set("gil@example.test", { email: "gil@example.test" });
    jsonBody(await setMode(false));
    service.clock.advance("6s");
    const before = lookups.length;
    expect((await grant("gil@example.test")).status).toBe(403);
    expect(lookups).toHaveLength(before);
    await setMode(true);
    service.clock.advance("6s");
  });
});
