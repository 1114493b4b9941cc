import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf } from "../support/api.ts";
import {
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  type LoginService,
  type ObtainedTokens,
  type TestAccount,
} from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";

let service: LoginService;
let ada: readonly ObtainedTokens[];
let bob: ObtainedTokens;

const signIn = (account: TestAccount): Promise<ObtainedTokens> => obtainTokens(service, service.web, account, offline, service.browser());
const sidOf = ({ id }: ObtainedTokens): string => String(decodeJwt(id)["sid"]);
const revoke = (account: Pick<TestAccount, "userId">, body: object = {}): Promise<ApiResponse> =>
  service.manage("POST", `/api/v2/users/${encodeURIComponent(account.userId)}/revoke-access`, body);
const isActive = async (tokens: ObtainedTokens): Promise<boolean> =>
  (await service.manage("GET", `/api/v2/sessions/${sidOf(tokens)}`)).status === 200;
const canRefresh = async ({ refresh }: ObtainedTokens): Promise<boolean> =>
  (await service.exchange(refreshGrant(service.web, refresh))).status === 200;
const state = async (): Promise<readonly (readonly [session: boolean, refresh: boolean])[]> => {
  const states: [boolean, boolean][] = [];
  for (const tokens of [...ada, bob]) states.push([await isActive(tokens), await canRefresh(tokens)]);
  return states;
};

beforeEach(async () => {
  service = await openService();
  ada = [await signIn(service.ada), await signIn(service.ada)];
  bob = await signIn(service.bob);
});

const [active, ended, detached] = [
  [true, true],
  [false, false],
  [false, true],
] as const;

test.each([
  ["all sessions and tokens", () => ({}), [ended, ended, active]],
  ["one session and its tokens", () => ({ session_id: ada[0] && sidOf(ada[0]) }), [ended, active, active]],
  ["all sessions, and keeps the tokens", () => ({ preserve_refresh_tokens: true }), [detached, detached, active]],
  [
    "one session, and keeps its tokens",
    () => ({ session_id: ada[0] && sidOf(ada[0]), preserve_refresh_tokens: true }),
    [detached, active, active],
  ],
])("revokes %s", async (_, body, expected) => {
  expect(await revoke(service.ada, body())).toMatchObject({ status: 202 });
  expect(await state()).toEqual(expected);
  expect((await revoke(service.ada, body())).status).toBe(202);
});

test("access tokens of a revoked session are invalid, also if the refresh token is kept", async () => {
  expect((await revoke(service.ada, { preserve_refresh_tokens: true })).status).toBe(202);
  for (const { access } of ada) expect((await service.userinfo(access)).status).toBe(401);
  expect((await service.userinfo(bob.access)).status).toBe(200);
});

test("a refresh token that was kept is revoked by a later call, by its client and by a new password", async () => {
  const ways = [
    () => revoke(service.ada),
    () => service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/refresh-tokens`),
    () => service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { password: "another horse battery" }),
  ];
  for (const way of ways) {
    const tokens = await signIn(service.ada);
    await revoke(service.ada, { preserve_refresh_tokens: true });
    expect((await way()).status).toBeLessThan(300);
    expect(await canRefresh(tokens)).toBe(false);
  }
});

describe("nothing is revoked", () => {
  test.each([
    ["by the session of another user", () => ({ session_id: sidOf(bob) }), "session_id"],
    ["by an unknown session", () => ({ session_id: "sess_unknown" }), "session_id"],
    ["by an empty session", () => ({ session_id: "" }), "session_id"],
    ["by a long session", () => ({ session_id: "s".repeat(51) }), "session_id"],
    ["by a number", () => ({ session_id: 1 }), "session_id"],
    ["by a text as a flag", () => ({ preserve_refresh_tokens: "yes" }), "preserve_refresh_tokens"],
    ["by an unknown member", () => ({ sessions: [] }), "sessions"],
  ])("%s", async (_, body, named) => {
    expectError(await revoke(service.ada, body()), 400, "invalid_request", named);
    expect(await state()).toEqual([active, active, active]);
  });

  test("for an unknown user, or by another tenant", async () => {
    expectError(await revoke({ userId: "auth0|unknown" }), 404, "not_found");
    const other = await managerOf(service, "other");
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/revoke-access`;
    expectError(await other("POST", path, {}), 404, "not_found");
    expect(await state()).toEqual([active, active, active]);
  });
});
