import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody } from "../support/api.ts";
import {
  sendAuthorization,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  openService,
  refreshGrant,
  screenName,
  submitStep,
  submit,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { issuer } from "../support/postern.ts";

/** Lists and revokes the consents that users granted to third-party clients. */

const shop = "https://shop.example.test/";
const base = "/api/v2/grants";

let service: LoginService;
let partner: App;
let other: App;

beforeEach(async () => {
  service = await openService();
  partner = await service.register({ name: "Partner", is_first_party: false });
  other = await service.register({ name: "Other", is_first_party: false });
  await service.manage.create("/api/v2/resource-servers", {
    name: "Shop",
    identifier: shop,
    allow_offline_access: true,
    scopes: [{ value: "read:orders" }],
  });
});

/** Signs a user in to a client and grants the requested consent. @returns the authorization code. */
async function grantConsent(
  account: TestAccount,
  app: App,
  request: { readonly [name: string]: string },
  browser = service.browser(),
): Promise<string> {
  const state = loginState(await sendAuthorization(browser, app, request));
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  await submitStep(browser, state, { action: "sign-in", password: account.password });
  return successParameters(await submit(browser, state, { action: "accept" }))["code"] ?? "";
}

const atShop = { audience: shop, scope: "openid offline_access read:orders" };
const ofProfile = { scope: "openid offline_access email" };

const grants = async (query = ""): Promise<readonly JsonBody[]> => list(await service.manage("GET", `${base}?${query}`));

describe("consents", () => {
  beforeEach(async () => {
    await grantConsent(service.ada, partner, atShop);
    service.clock.advance("1s");
    await grantConsent(service.ada, other, ofProfile);
    service.clock.advance("1s");
    await grantConsent(service.bob, partner, ofProfile);
  });

  test("are listed in Auth0's format", async () => {
    expect(await grants()).toEqual([
      { id: expect.any(String), clientID: partner.clientId, user_id: service.ada.userId, audience: shop, scope: expect.any(Array) },
      {
        id: expect.any(String),
        clientID: other.clientId,
        user_id: service.ada.userId,
        audience: `${issuer}userinfo`,
        scope: expect.any(Array),
      },
      {
        id: expect.any(String),
        clientID: partner.clientId,
        user_id: service.bob.userId,
        audience: `${issuer}userinfo`,
        scope: expect.any(Array),
      },
    ]);
    expect((await grants())[0]?.["scope"]).toEqual(expect.arrayContaining(["openid", "read:orders"]));
    expect(jsonBody(await service.manage("GET", `${base}?include_totals=true&per_page=2&page=1`))).toMatchObject({
      grants: [{ user_id: service.bob.userId }],
      start: 2,
      limit: 2,
      total: 3,
    });
    expect(await listAllPages(service.manage, base, "grants", 1)).toEqual(await grants());
  });

  test("are filtered by user, client and API in any combination", async () => {
    const { userId } = service.ada;
    const found = async (query: { readonly [name: string]: string }) =>
      (await grants(new URLSearchParams(query).toString())).map((grant) => [grant["user_id"], grant["clientID"]]);
    expect(await found({ user_id: userId })).toEqual([
      [userId, partner.clientId],
      [userId, other.clientId],
    ]);
    expect(await found({ client_id: partner.clientId })).toEqual([
      [userId, partner.clientId],
      [service.bob.userId, partner.clientId],
    ]);
    expect(await found({ audience: shop })).toEqual([[userId, partner.clientId]]);
    expect(await found({ audience: `${issuer}userinfo`, user_id: userId })).toEqual([[userId, other.clientId]]);
    await service.postern.seed({ tenantId: "main", domains: ["login.main.example"] });
    expect(await found({ audience: "https://login.main.example/userinfo", user_id: userId })).toEqual([[userId, other.clientId]]);
    expect(await found({ user_id: userId, client_id: other.clientId, audience: shop })).toEqual([]);
    for (const unmatched of [{ user_id: "unknown" }, { client_id: "nothing" }, { audience: "https://nowhere.example.test/" }]) {
      expect(await found(unmatched)).toEqual([]);
    }
  });

  test.each([
    ["user_id=", "user_id"],
    [`user_id=${"x".repeat(256)}`, "user_id"],
    [`client_id=${"x".repeat(121)}`, "client_id"],
    [`audience=${"x".repeat(601)}`, "audience"],
    ["user_id=a&user_id=b", "user_id"],
    ["clientID=x", "clientID"],
    ["q=scope:openid", "q"],
  ])("are not listed for the invalid query %s", async (query, error) => {
    expectError(await service.manage("GET", `${base}?${query}`), 400, "invalid_request", `'${error}'`);
  });

  test("of another tenant can be neither read nor revoked", async () => {
    const manage = await managerOf(service, "other");
    const [first = {}] = await grants();
    expect(list(await manage("GET", base))).toEqual([]);
    expect(await manage("DELETE", `${base}/${stringMember(first, "id")}`)).toMatchObject({ status: 204 });
    expect(await manage("DELETE", `${base}?user_id=${encodeURIComponent(service.ada.userId)}`)).toMatchObject({ status: 204 });
    expect(await grants()).toHaveLength(3);
  });
});

describe("the revocation of a consent", () => {
  test("revokes the client's tokens for the API of the consent only, and the client must request consent again", async () => {
    const browser = service.browser();
    const revoked = tokens(await service.exchange(codeGrant(partner, await grantConsent(service.ada, partner, atShop, browser))));
    const ofOtherClient = tokens(await service.exchange(codeGrant(other, await grantConsent(service.ada, other, ofProfile))));
    const sameClient = tokens(await service.exchange(codeGrant(partner, await grantConsent(service.ada, partner, ofProfile))));
    const ofOtherUser = tokens(await service.exchange(codeGrant(partner, await grantConsent(service.bob, partner, atShop))));
    const [grant = {}] = await grants(new URLSearchParams({ audience: shop, user_id: service.ada.userId }).toString());

    expect(await service.manage("DELETE", `${base}/${stringMember(grant, "id")}`)).toMatchObject({ status: 204, body: undefined });
    expectError(await service.exchange(refreshGrant(partner, revoked.refresh)), 400, "invalid_grant");
    expect((await service.userinfo(revoked.access)).status).toBe(401);
    expect(screenName(await getFlow(browser, loginState(await sendAuthorization(browser, partner, atShop))))).toBe("consent");
    tokens(await service.exchange(refreshGrant(other, ofOtherClient.refresh)));
    tokens(await service.exchange(refreshGrant(partner, sameClient.refresh)));
    tokens(await service.exchange(refreshGrant(partner, ofOtherUser.refresh)));
    expect(await grants()).toHaveLength(3);
    expect(await service.manage("DELETE", `${base}/${stringMember(grant, "id")}`)).toMatchObject({ status: 204 });
  });

  test("revokes an authorization code that was not exchanged yet", async () => {
    const code = await grantConsent(service.ada, partner, atShop);
    const [grant = {}] = await grants();
    await service.manage("DELETE", `${base}/${stringMember(grant, "id")}`);
    expectError(await service.exchange(codeGrant(partner, code)), 400, "invalid_grant");
  });

  test("is possible for all clients of one user at once", async () => {
    const revoked = [
      tokens(await service.exchange(codeGrant(partner, await grantConsent(service.ada, partner, atShop)))),
      tokens(await service.exchange(codeGrant(other, await grantConsent(service.ada, other, ofProfile)))),
    ];
    const bobs = tokens(await service.exchange(codeGrant(partner, await grantConsent(service.bob, partner, atShop))));
    const ofAda = `${base}?user_id=${encodeURIComponent(service.ada.userId)}`;
    expect(await service.manage("DELETE", ofAda)).toMatchObject({ status: 204, body: undefined });
    expect((await grants()).map((grant) => grant["user_id"])).toEqual([service.bob.userId]);
    for (const [index, app] of [partner, other].entries()) {
      expectError(await service.exchange(refreshGrant(app, revoked[index]?.refresh ?? "")), 400, "invalid_grant");
    }
    tokens(await service.exchange(refreshGrant(partner, bobs.refresh)));
    expect(await service.manage("DELETE", ofAda)).toMatchObject({ status: 204 });
    for (const query of ["", "?user_id=", "?client_id=x"]) {
      expectError(await service.manage("DELETE", base + query), 400, "invalid_request");
    }
  });
});
