import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { aroundWrites, decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { expectError, list, object, text, type Json } from "../support/api.ts";
import {
  authorize,
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
import { managementAudience, type Answer } from "../support/postern.ts";
import { passwordClient, refresh, signInByPassword } from "./tokens.ts";

/** A new password ends what was begun with the old one, whoever sets it and whenever. */

const newPassword = "a-new-password";
const silent = { prompt: "none" };

const pathOf = ({ ada }: LoginService): string => `/api/v2/users/${encodeURIComponent(ada.userId)}`;

let service: LoginService;
let path: string;

beforeEach(async () => {
  service = await openService();
  path = pathOf(service);
});

const setPassword = (): Promise<Answer> => service.manage("PATCH", path, { password: newPassword });

test("sessions, refresh tokens, codes and access tokens of the person end, and nobody else's", async () => {
  const { web, ada, bob } = service;
  const browser = service.browser();
  const held = await obtainTokens(service, web, ada, offline, browser);
  const { code = "" } = successParameters(await authorize(browser, web, silent));
  const bobs = await obtainTokens(service, web, bob, offline);
  expect(await setPassword()).toMatchObject({ status: 200 });

  expect(errorParameters(await authorize(browser, web, silent))).toMatchObject({ error: "login_required" });
  expectError(await service.exchange(refreshGrant(web, held.refresh)), 400, "invalid_grant");
  expectError(await service.exchange(codeGrant(web, code)), 400, "invalid_grant");
  expectError(await service.userinfo(held.access), 401, "invalid_token");
  expect(list(await service.manage("GET", `${path}/sessions`))).toEqual([]);
  expect(list(await service.manage("GET", `${path}/refresh-tokens`)).every((token) => "revoked_at" in token)).toBe(true);

  expect((await service.exchange(refreshGrant(web, bobs.refresh))).status).toBe(200);
  expect((await service.userinfo(bobs.access)).status).toBe(200);
  await login(browser, web, { ...ada, password: newPassword });
});

test("that of a linked account ends the sessions of the person, also those that others of their accounts began", async () => {
  await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
  const body = { connection: "staff", email: "carol@example.test", password: "Correct-horse-1" };
  const carol = text(await service.manage.create("/api/v2/users", body), "user_id");
  const held = await obtainTokens(service, service.web, service.ada, offline);
  const carolPath = `/api/v2/users/${encodeURIComponent(carol)}`;
  expect(await service.manage("POST", `${carolPath}/identities`, { provider: "auth0", user_id: service.ada.userId })).toMatchObject({
    status: 201,
  });
  expectError(await service.exchange(refreshGrant(service.web, held.refresh)), 400, "invalid_grant");
  const linked = await obtainTokens(service, service.web, service.ada, offline);
  expect(claimsOf(linked.access).sub).toBe(carol);
  const change = { connection: "Username-Password-Authentication", password: newPassword };
  expect(await service.manage("PATCH", carolPath, change)).toMatchObject({ status: 200 });
  expectError(await service.exchange(refreshGrant(service.web, linked.refresh)), 400, "invalid_grant");
});

test("a change that is refused, and one of something else, end nothing", async () => {
  const held = await obtainTokens(service, service.web, service.ada, offline);
  for (const [body, status] of [
    [{ name: "Ada L." }, 200],
    [{ password: "" }, 400],
    [{ password: newPassword, connection: "nowhere" }, 404],
  ] as const) {
    expect((await service.manage("PATCH", path, body)).status, JSON.stringify(body)).toBe(status);
  }
  expect((await service.exchange(refreshGrant(service.web, held.refresh))).status).toBe(200);
  expect((await service.userinfo(held.access)).status).toBe(200);
});

test("people who set their own keep the session of their token where they ask for it, and no other", async () => {
  const { manage, ada, bob } = service;
  const role = text(await manage.create("/api/v2/roles", { name: "Helpdesk" }), "id");
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:users" }];
  await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
  await manage("POST", `/api/v2/roles/${role}/users`, { users: [ada.userId, bob.userId] });
  const asked = { audience: managementAudience, scope: "openid update:users" };
  const isGood = async (token: string): Promise<boolean> => (await service.userinfo(token)).status === 200;
  const own = await obtainTokens(service, service.web, ada, asked);
  const elsewhere = await obtainTokens(service, service.web, ada, offline);
  const patch = async (token: string, prefer: string): Promise<Answer> =>
    service.call("PATCH", path, { token, headers: { prefer }, body: { password: newPassword } });

  const kept = await patch(own.access, "keep-session");
  expect(kept).toMatchObject({ status: 200 });
  expect(kept.headers.get("preference-applied")).toBe("keep-session");
  expect(await isGood(own.access)).toBe(true);
  expectError(await service.exchange(refreshGrant(service.web, elsewhere.refresh)), 400, "invalid_grant");

  // Another's session is none of the person's, and without asking one's own ends too.
  const bobs = await obtainTokens(service, service.web, bob, asked);
  const byBob = await patch(bobs.access, "keep-session");
  expect(byBob).toMatchObject({ status: 200 });
  expect(byBob.headers.get("preference-applied")).toBeNull();
  expect(await isGood(own.access)).toBe(false);
  const last = await obtainTokens(service, service.web, { ...ada, password: newPassword }, asked);
  expect(await patch(last.access, "return=minimal")).toMatchObject({ status: 200 });
  expectError(await service.call("PATCH", path, { token: last.access, body: { name: "Ada" } }), 401, "invalid_token");
});

describe("beside a login with the old password", () => {
  interface Scene {
    readonly data: PausingAdapter;
    readonly service: LoginService;
    readonly client: string;
    readonly token: string;
  }

  const openScene = async (): Promise<Scene> => {
    const data = pausingAdapter(createMemoryAdapter({ strict: true }));
    const opened = await openService({ data });
    return { data, service: opened, client: await passwordClient(opened), token: await opened.token() };
  };
  const signIn = async ({ service: { exchange, ada }, client }: Scene): Promise<Answer> =>
    exchange({ grant_type: "password", client_id: client, username: ada.email, password: ada.password, scope: "openid offline_access" });
  const change = async ({ service: opened, token }: Scene): Promise<Answer> =>
    opened.call("PATCH", pathOf(opened), { token, body: { password: newPassword } });

  /** The login failed, or what it gave is worth nothing. */
  const check = async (scene: Scene, signedIn: Answer, changed: Answer): Promise<void> => {
    expect(changed).toMatchObject({ status: 200 });
    expect([200, 403]).toContain(signedIn.status);
    const sessions = await scene.service.manage("GET", `${pathOf(scene.service)}/sessions`);
    expect(list(sessions)).toEqual([]);
    if (signedIn.status !== 200) return;
    const given: Json = object(signedIn);
    expectError(await refresh(scene.service, scene.client, text(given, "refresh_token")), 400, "invalid_grant");
    expectError(await scene.service.userinfo(text(given, "access_token")), 401, "invalid_token");
  };

  test("inside of each gap between the login's writes", async () => {
    const first = await openScene();
    for (const at of decisiveMomentsOf(await first.data.writesOf(() => signIn(first)))) {
      const scene = await openScene();
      await check(
        scene,
        ...(await scene.data.interleave(
          at,
          () => signIn(scene),
          () => change(scene),
        )),
      );
    }
  });

  test("with the login inside of each gap between the change's own writes", async () => {
    const first = await openScene();
    for (const at of decisiveMomentsOf(await first.data.writesOf(() => change(first)))) {
      const scene = await openScene();
      const [changed, signedIn] = await scene.data.interleave(
        at,
        () => change(scene),
        () => signIn(scene),
      );
      await check(scene, signedIn, changed);
    }
  });
});

test("a change that was cut off leaves no session where the password is new, and is finished by its repetition", async () => {
  const names: string[] = [];
  let fatal: number | undefined;
  const open = async () => {
    const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
      names.push(name);
      const done = await run();
      if (names.length === fatal) {
        fatal = undefined;
        throw new Error("lost");
      }
      return done;
    });
    // What is lost on purpose is no news.
    const opened = await openService({ data, logger: { log() {} } });
    const client = await passwordClient(opened);
    const held = await signInByPassword(opened, client, opened.ada);
    const token = await opened.token();
    names.length = 0;
    return { opened, client, held, change: () => opened.call("PATCH", pathOf(opened), { token, body: { password: newPassword } }) };
  };
  const whole = await open();
  expect(await whole.change()).toMatchObject({ status: 200 });
  const writes = names.filter((name) => name !== "logs.insert").length;

  for (let write = 1; write <= writes; write++) {
    const { opened, client, held, change } = await open();
    fatal = write;
    expect((await change()).status).toBe(500);
    const refreshed = await refresh(opened, client, text(held, "refresh_token"));
    const works = await opened.exchange({ grant_type: "password", client_id: client, username: opened.ada.email, password: newPassword });
    if (works.status === 200) expect(refreshed.status, `after ${names[write - 1]}`).toBe(400);
    expect(await change()).toMatchObject({ status: 200 });
    expect(list(await opened.manage("GET", `${pathOf(opened)}/sessions`))).toEqual([]);
  }
});
