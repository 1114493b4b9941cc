import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { aroundWrites, decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { expectError, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { writeNumbers } from "../support/each-write.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  errorParameters,
  type LoginService,
} from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import { managementAudience, type ApiResponse } from "../support/postern.ts";
import { passwordClient, exchangeRefreshToken, obtainPasswordTokens } from "./tokens.ts";

/** A new password ends all sessions that were started with the old password. */

const newPassword = "a-new-password";
const silent = { prompt: "none" };

const pathOf = ({ ada }: LoginService): string => `/api/v2/users/${encodeURIComponent(ada.userId)}`;

let service: LoginService;
let path: string;

beforeEach(async () => {
  service = await openService();
  path = pathOf(service);
});

const setPassword = (): Promise<ApiResponse> => service.manage("PATCH", path, { password: newPassword });

test("a new password revokes the user's sessions, refresh tokens, codes and access tokens, and no other user's", async () => {
  const { web, ada, bob } = service;
  const browser = service.browser();
  const adasTokens = await obtainTokens(service, web, ada, offline, browser);
  const { code = "" } = successParameters(await sendAuthorization(browser, web, silent));
  const bobs = await obtainTokens(service, web, bob, offline);
  expect(await setPassword()).toMatchObject({ status: 200 });

  expect(errorParameters(await sendAuthorization(browser, web, silent))).toMatchObject({ error: "login_required" });
  expectError(await service.exchange(refreshGrant(web, adasTokens.refresh)), 400, "invalid_grant");
  expectError(await service.exchange(codeGrant(web, code)), 400, "invalid_grant");
  expectError(await service.userinfo(adasTokens.access), 401, "invalid_token");
  expect(list(await service.manage("GET", `${path}/sessions`), "sessions")).toEqual([]);
  expect(list(await service.manage("GET", `${path}/refresh-tokens`)).every((token) => "revoked_at" in token)).toBe(true);

  expect((await service.exchange(refreshGrant(web, bobs.refresh))).status).toBe(200);
  expect((await service.userinfo(bobs.access)).status).toBe(200);
  await login(browser, web, { ...ada, password: newPassword });
});

test("a new password of a linked account revokes all sessions of its user", async () => {
  await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
  const body = { connection: "staff", email: "carol@example.test", password: "Correct-horse-1" };
  const carol = stringMember(await service.manage.create("/api/v2/users", body), "user_id");
  const adasTokens = await obtainTokens(service, service.web, service.ada, offline);
  const carolPath = `/api/v2/users/${encodeURIComponent(carol)}`;
  expect(await service.manage("POST", `${carolPath}/identities`, { provider: "auth0", user_id: service.ada.userId })).toMatchObject({
    status: 201,
  });
  expectError(await service.exchange(refreshGrant(service.web, adasTokens.refresh)), 400, "invalid_grant");
  const linked = await obtainTokens(service, service.web, service.ada, offline);
  expect(claimsOf(linked.access).sub).toBe(carol);
  const change = { connection: "Username-Password-Authentication", password: newPassword };
  expect(await service.manage("PATCH", carolPath, change)).toMatchObject({ status: 200 });
  expectError(await service.exchange(refreshGrant(service.web, linked.refresh)), 400, "invalid_grant");
});

test("a rejected change and a change of another field revoke nothing", async () => {
  const adasTokens = await obtainTokens(service, service.web, service.ada, offline);
  for (const [body, status] of [
    [{ name: "Ada L." }, 200],
    [{ password: "" }, 400],
    [{ password: newPassword, connection: "nowhere" }, 404],
  ] as const) {
    expect((await service.manage("PATCH", path, body)).status, JSON.stringify(body)).toBe(status);
  }
  expect((await service.exchange(refreshGrant(service.web, adasTokens.refresh))).status).toBe(200);
  expect((await service.userinfo(adasTokens.access)).status).toBe(200);
});

test("a user who sets their own password with Prefer: keep-session keeps the session of the token, and no other session", async () => {
  const { manage, ada, bob } = service;
  const role = stringMember(await manage.create("/api/v2/roles", { name: "Helpdesk" }), "id");
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:users" }];
  await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
  await manage("POST", `/api/v2/roles/${role}/users`, { users: [ada.userId, bob.userId] });
  const request = { audience: managementAudience, scope: "openid update:users" };
  const isValid = async (token: string): Promise<boolean> => (await service.userinfo(token)).status === 200;
  const own = await obtainTokens(service, service.web, ada, request);
  const otherSession = await obtainTokens(service, service.web, ada, offline);
  const patch = async (token: string, prefer: string): Promise<ApiResponse> =>
    service.call("PATCH", path, { token, headers: { prefer }, body: { password: newPassword } });

  const kept = await patch(own.access, "keep-session");
  expect(kept).toMatchObject({ status: 200 });
  expect(kept.headers.get("preference-applied")).toBe("keep-session");
  expect(await isValid(own.access)).toBe(true);
  expectError(await service.exchange(refreshGrant(service.web, otherSession.refresh)), 400, "invalid_grant");

  // `keep-session` keeps no session of another user. Without `keep-session`, the caller's own session ends too.
  const bobs = await obtainTokens(service, service.web, bob, request);
  const byBob = await patch(bobs.access, "keep-session");
  expect(byBob).toMatchObject({ status: 200 });
  expect(byBob.headers.get("preference-applied")).toBeNull();
  expect(await isValid(own.access)).toBe(false);
  const last = await obtainTokens(service, service.web, { ...ada, password: newPassword }, request);
  expect(await patch(last.access, "return=minimal")).toMatchObject({ status: 200 });
  expectError(await service.call("PATCH", path, { token: last.access, body: { name: "Ada" } }), 401, "invalid_token");
});

describe("a password change during a login with the old password", () => {
  interface Setup {
    readonly data: PausingAdapter;
    readonly service: LoginService;
    readonly client: string;
    readonly token: string;
  }

  const createSetup = async (): Promise<Setup> => {
    const data = pausingAdapter(createMemoryAdapter({ strict: true }));
    const opened = await openService({ data });
    return { data, service: opened, client: await passwordClient(opened), token: await opened.token() };
  };
  const signIn = async ({ service: { exchange, ada }, client }: Setup): Promise<ApiResponse> =>
    exchange({ grant_type: "password", client_id: client, username: ada.email, password: ada.password, scope: "openid offline_access" });
  const change = async ({ service: opened, token }: Setup): Promise<ApiResponse> =>
    opened.call("PATCH", pathOf(opened), { token, body: { password: newPassword } });

  /** Expects a failed login, or tokens that are already revoked. */
  const check = async (setup: Setup, signedIn: ApiResponse, changed: ApiResponse): Promise<void> => {
    expect(changed).toMatchObject({ status: 200 });
    expect([200, 403]).toContain(signedIn.status);
    const sessions = await setup.service.manage("GET", `${pathOf(setup.service)}/sessions`);
    expect(list(sessions, "sessions")).toEqual([]);
    if (signedIn.status !== 200) return;
    const given: JsonBody = jsonBody(signedIn);
    expectError(await exchangeRefreshToken(setup.service, setup.client, stringMember(given, "refresh_token")), 400, "invalid_grant");
    expectError(await setup.service.userinfo(stringMember(given, "access_token")), 401, "invalid_token");
  };

  test("between any two of the login's writes leaves no valid session", async () => {
    const first = await createSetup();
    for (const at of sampled("pauses", decisiveMomentsOf(await first.data.writesOf(() => signIn(first))))) {
      const setup = await createSetup();
      await check(
        setup,
        ...(await setup.data.interleave(
          at,
          () => signIn(setup),
          () => change(setup),
        )),
      );
    }
  });

  test("leaves no valid session if the login runs between any two of its writes", async () => {
    const first = await createSetup();
    for (const at of sampled("pauses", decisiveMomentsOf(await first.data.writesOf(() => change(first))))) {
      const setup = await createSetup();
      const [changed, signedIn] = await setup.data.interleave(
        at,
        () => change(setup),
        () => signIn(setup),
      );
      await check(setup, signedIn, changed);
    }
  });
});

test("an interrupted change leaves no session once the password is new, and a repeated call completes it", async () => {
  const names: string[] = [];
  let failingWrite: number | undefined;
  const open = async () => {
    const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
      names.push(name);
      const done = await run();
      if (names.length === failingWrite) {
        failingWrite = undefined;
        throw new Error("lost");
      }
      return done;
    });
    // The errors in this test are expected, so they are not logged.
    const opened = await openService({ data, logger: { log() {} } });
    const client = await passwordClient(opened);
    const adasTokens = await obtainPasswordTokens(opened, client, opened.ada);
    const token = await opened.token();
    names.length = 0;
    return {
      opened,
      client,
      held: adasTokens,
      change: () => opened.call("PATCH", pathOf(opened), { token, body: { password: newPassword } }),
    };
  };
  const complete = await open();
  expect(await complete.change()).toMatchObject({ status: 200 });
  const writes = names.filter((name) => name !== "logs.insert").length;

  for (const write of sampled("crashes", writeNumbers(writes))) {
    const { opened, client, held: adasTokens, change } = await open();
    failingWrite = write;
    expect((await change()).status).toBe(500);
    const refreshed = await exchangeRefreshToken(opened, client, stringMember(adasTokens, "refresh_token"));
    const newLogin = await opened.exchange({
      grant_type: "password",
      client_id: client,
      username: opened.ada.email,
      password: newPassword,
    });
    if (newLogin.status === 200) expect(refreshed.status, `after ${names[write - 1]}`).toBe(400);
    expect(await change()).toMatchObject({ status: 200 });
    expect(list(await opened.manage("GET", `${pathOf(opened)}/sessions`), "sessions")).toEqual([]);
  }
});
