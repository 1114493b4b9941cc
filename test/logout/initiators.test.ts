import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, list } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { login, obtainTokens, offline, refreshGrant, type App, type TestAccount } from "../support/flow.ts";
import { logoutUrl, openLogoutService, type LogoutService } from "./receivers.ts";

/** A client that selects one initiator each, in addition to those that are always selected. */
const selectable = [
  "password-changed",
  "session-expired",
  "session-revoked",
  "account-deleted",
  "email-identifier-changed",
  "mfa-phone-unenrolled",
  "account-deactivated",
] as const;

interface Ending {
  readonly user: TestAccount;
  readonly browser: Browser;
  readonly sid: string;
  readonly idToken: string;
}

let service: LogoutService;
const receivers = new Map<string, App>();
let count = 0;

beforeAll(async () => {
  service = await openLogoutService();
  receivers.set("default", await service.receiver("default"));
  receivers.set("all", await service.receiver("all", { backchannel_logout_initiators: { mode: "all" } }));
  for (const initiator of selectable) {
    const selection = { mode: "custom", selected_initiators: [initiator] };
    receivers.set(initiator, await service.receiver(initiator, { backchannel_logout_initiators: selection }));
  }
});

/** Starts a session in which a new user signed in to every client. */
async function begin(): Promise<Ending> {
  const user = await service.addUser(`user${++count}@example.test`);
  const browser = service.browser();
  let idToken = "";
  for (const app of [service.web, ...receivers.values()]) {
    ({ id: idToken } = await obtainTokens(service, app, user, offline, browser));
  }
  service.take();
  return { user, browser, sid: String(decodeJwt(idToken)["sid"]), idToken };
}

const userPath = ({ user }: Ending): string => `/api/v2/users/${encodeURIComponent(user.userId)}`;

const succeed = async (method: string, path: string, body?: unknown): Promise<void> => {
  const { status, body: answer } = await service.manage(method, path, body);
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
};

/** Ways to end a session or to change its user, with the initiator, and whether the session continues. */
const ways: readonly {
  readonly name: string;
  readonly initiator: string | undefined;
  readonly continues?: true;
  readonly run: (ending: Ending) => Promise<void>;
}[] = [
  {
    name: "a logout at /oidc/logout",
    initiator: "rp-logout",
    run: async ({ browser, idToken }) => expect((await browser.get(`/oidc/logout?id_token_hint=${idToken}`)).status).toBe(200),
  },
  {
    name: "a logout at /v2/logout",
    initiator: "rp-logout",
    run: async ({ browser }) => expect((await browser.get("/v2/logout")).status).toBeLessThan(400),
  },
  { name: "deleting the session", initiator: "session-revoked", run: ({ sid }) => succeed("DELETE", `/api/v2/sessions/${sid}`) },
  { name: "revoking the session", initiator: "session-revoked", run: ({ sid }) => succeed("POST", `/api/v2/sessions/${sid}/revoke`) },
  { name: "deleting all sessions", initiator: "session-revoked", run: (one) => succeed("DELETE", `${userPath(one)}/sessions`) },
  {
    name: "revoking the user's access",
    initiator: "session-revoked",
    run: (one) => succeed("POST", `${userPath(one)}/revoke-access`, {}),
  },
  {
    name: "revoking the access of the session",
    initiator: "session-revoked",
    run: (one) => succeed("POST", `${userPath(one)}/revoke-access`, { session_id: one.sid }),
  },
  {
    name: "a new password",
    initiator: "password-changed",
    run: (one) => succeed("PATCH", userPath(one), { password: "another horse battery" }),
  },
  { name: "blocking the user", initiator: "account-deactivated", run: (one) => succeed("PATCH", userPath(one), { blocked: true }) },
  { name: "deleting the user", initiator: "account-deleted", run: (one) => succeed("DELETE", userPath(one)) },
  { name: "the idle timeout", initiator: "session-expired", run: async () => service.clock.advance("4d") },
  {
    name: "another email address",
    initiator: "email-identifier-changed",
    continues: true,
    run: (one) => succeed("PATCH", userPath(one), { email: `other${++count}@example.test` }),
  },
  {
    name: "the same email address in other letters",
    initiator: undefined,
    continues: true,
    run: (one) => succeed("PATCH", userPath(one), { email: one.user.email.toUpperCase() }),
  },
  {
    name: "removing a phone",
    initiator: "mfa-phone-unenrolled",
    continues: true,
    run: async (one) => {
      const method = { type: "phone", phone_number: "+4915112345678", preferred_authentication_method: "sms", name: "Phone" };
      const { id } = await service.manage.create(`${userPath(one)}/authentication-methods`, method);
      await succeed("DELETE", `${userPath(one)}/authentication-methods/${encodeURIComponent(String(id))}`);
    },
  },
  { name: "another name", initiator: undefined, continues: true, run: (one) => succeed("PATCH", userPath(one), { name: "Other" }) },
];

describe.each(ways)("$name", ({ initiator, continues, run }) => {
  test(`sends logout tokens to exactly the clients that selected ${initiator ?? "nothing"}`, async () => {
    const one = await begin();
    // Other sessions must not be affected.
    const other = await begin();
    await run(one);
    await service.deliver();
    const expected = [...receivers.keys()].filter(
      (name) => initiator !== undefined && (initiator === "rp-logout" || name === "all" || name === initiator),
    );
    const received = service.take().filter(({ token }) => decodeJwt(token)["sid"] === one.sid);
    expect(received.map(({ url }) => url).toSorted()).toEqual(expected.map(logoutUrl).toSorted());
    for (const { token } of received) expect((await service.verify(token)).payload).toMatchObject({ sub: one.user.userId, sid: one.sid });
    if (initiator !== "session-expired") {
      const strangers = service.received.filter(({ token }) => decodeJwt(token)["sid"] === other.sid);
      expect(strangers).toEqual([]);
      await login(other.browser, service.web, other.user, { prompt: "none" });
    }
    await service.deliver();
    expect(service.take().filter(({ token }) => decodeJwt(token)["sid"] === one.sid)).toEqual([]);
    if (continues === true) expect((await service.manage("GET", `/api/v2/sessions/${one.sid}`)).status).toBe(200);
    else expect((await service.manage("GET", `/api/v2/sessions/${one.sid}`)).status).toBe(404);
  });
});

test("an expired session that a refresh token still refers to is reported once", async () => {
  await begin();
  service.clock.advance("4d");
  await service.deliver();
  expect(service.take().length).toBeGreaterThan(0);
  service.clock.advance("1h");
  await service.deliver();
  expect(service.take()).toEqual([]);
});

test("a session that is used is not reported as expired", async () => {
  const one = await begin();
  service.clock.advance("2d");
  await login(one.browser, service.web, one.user, {});
  service.clock.advance("2d");
  await service.deliver();
  expect(service.take().filter(({ token }) => decodeJwt(token)["sid"] === one.sid)).toEqual([]);
  service.clock.advance("2d");
  await service.deliver();
  expect(
    service
      .take()
      .filter(({ token }) => decodeJwt(token)["sid"] === one.sid)
      .map(({ url }) => url)
      .toSorted(),
  ).toEqual(["all", "session-expired"].map(logoutUrl));
});

test("revoking only the access of a session keeps the refresh tokens if requested", async () => {
  const user = await service.addUser(`user${++count}@example.test`);
  const { refresh, id } = await obtainTokens(service, service.web, user, offline, service.browser());
  const path = `/api/v2/users/${encodeURIComponent(user.userId)}/revoke-access`;
  await succeed("POST", path, { session_id: decodeJwt(id)["sid"], preserve_refresh_tokens: true });
  expect((await service.manage("GET", `/api/v2/sessions/${String(decodeJwt(id)["sid"])}`)).status).toBe(404);
  expect((await service.exchange(refreshGrant(service.web, refresh))).status).toBe(200);
});

test("an import that blocks a known user ends the sessions", async () => {
  const one = await begin();
  const connection = list(await service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication"))[0];
  const users = [{ email: one.user.email, blocked: true }];
  const job = await service.manage("POST", "/api/v2/jobs/users-imports", { connection_id: connection?.["id"], users, upsert: true });
  expect(job.status).toBe(202);
  await service.deliver();
  const received = service.take().filter(({ token }) => decodeJwt(token)["sid"] === one.sid);
  expect(received.map(({ url }) => url).toSorted()).toEqual(["account-deactivated", "all"].map(logoutUrl));
});

test.each(["rp-logout", "session-revoked", undefined])("the deletion of a session can have the initiator %s", async (initiator) => {
  const one = await begin();
  await succeed("DELETE", `/api/v2/sessions/${one.sid}${initiator === undefined ? "" : `?initiator=${initiator}`}`);
  await service.deliver();
  const told = service.take().map(({ url }) => url);
  expect(told.includes(logoutUrl("default"))).toBe(initiator === "rp-logout");
  expect(told).toContain(logoutUrl("session-revoked"));
});

test("a session cannot be deleted with another initiator", async () => {
  const one = await begin();
  expectError(await service.manage("DELETE", `/api/v2/sessions/${one.sid}?initiator=session-expired`), 400, "invalid_request", "initiator");
});
