import { beforeAll, expect, test } from "vitest";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  openService,
  redirectOf,
  errorParameters,
  screenName,
  submitStep,
  submit,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
let partner: App;
beforeAll(async () => {
  service = await openService();
  partner = await service.register({ secret: true, name: "Partner", is_first_party: false });
  await service.manage.create("/api/v2/resource-servers", {
    name: "Shop",
    identifier: "https://shop.example.test/",
    scopes: [{ value: "read:orders", description: "See your orders" }, { value: "write:orders" }],
  });
});

/** Signs in up to the consent page. */
async function reachConsent(browser: Browser, account: TestAccount, requested = {}): Promise<string> {
  const state = loginState(await sendAuthorization(browser, partner, requested));
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  expect(screenName(await submitStep(browser, state, { action: "sign-in", password: account.password }))).toBe("consent");
  return state;
}

test("prompts for consent to a third-party client with the API's descriptions, stores the consent, and prompts again for new scopes", async () => {
  const browser = service.browser();
  const account = await service.addUser("consenting@example.test");
  const requested = { scope: "openid read:orders", audience: "https://shop.example.test/" };
  const state = await reachConsent(browser, account, requested);
  expect(await getFlow(browser, state)).toMatchObject({
    screen: {
      client: { name: "Partner" },
      account: account.email,
      audience: "Shop",
      scopes: [{ value: "openid" }, { value: "read:orders", description: "See your orders" }],
    },
  });
  const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
  expect(tokens(await service.exchange(codeGrant(partner, code))).scope).toBe("openid read:orders");

  successParameters(await sendAuthorization(browser, partner, requested));
  successParameters(await sendAuthorization(browser, partner, { ...requested, prompt: "none", scope: "openid" }));
  const more = { ...requested, scope: "openid read:orders write:orders" };
  expect(errorParameters(await sendAuthorization(browser, partner, { ...more, prompt: "none" }))["error"]).toBe("consent_required");
  const repeated = loginState(await sendAuthorization(browser, partner, more));
  expect(screenName(await getFlow(browser, repeated))).toBe("consent");
  successParameters(redirectOf(await submitStep(browser, repeated, { action: "accept" })));
  successParameters(await sendAuthorization(browser, partner, { ...more, prompt: "none" }));
  expect(
    errorParameters(await sendAuthorization(browser, partner, { prompt: "none" }))["error"],
    "the user consented to no scope of another API",
  ).toBe("consent_required");
});

test("returns access_denied to the client if the user declines, and stores no consent", async () => {
  const browser = service.browser();
  const account = await service.addUser("declining@example.test");
  const state = await reachConsent(browser, account);
  expect(errorParameters(await submit(browser, state, { action: "deny" }))).toMatchObject({ error: "access_denied", state: "st-1" });
  expect(screenName(await getFlow(browser, loginState(await sendAuthorization(browser, partner))))).toBe("consent");
});

test("does not apply one user's consent to another user in the same browser", async () => {
  const browser = service.browser();
  const [first, second] = [await service.addUser("first@example.test"), await service.addUser("second@example.test")];
  const state = await reachConsent(browser, first);
  successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  // Opens the same page again as another user.
  const { csrf } = await getFlow(browser, loginState(await sendAuthorization(browser, partner, { prompt: "login" })));
  expect(csrf).toBeTypeOf("string");
  const stale = loginState(await sendAuthorization(browser, partner, { prompt: "select_account consent" }));
  await submitStep(browser, stale, { action: "continue-as" });
  successParameters(redirectOf(await submitStep(browser, stale, { action: "accept" })));
  const own = await browser.get(`/u/flow?${new URLSearchParams({ state: stale })}`);
  expect(own.status).toBe(200);
  const other = loginState(await sendAuthorization(browser, service.web, { prompt: "login" }));
  await submitStep(browser, other, { action: "continue", identifier: second.email });
  await submitStep(browser, other, { action: "sign-in", password: second.password });
  await submitStep(browser, stale, { action: "continue-as" });
  expect(screenName(await getFlow(browser, stale))).toBe("consent");
});

test("prompts for consent with prompt=consent despite a stored consent, and also for a first-party client", async () => {
  const browser = service.browser();
  const account = await service.addUser("prompted@example.test");
  successParameters(redirectOf(await submitStep(browser, await reachConsent(browser, account), { action: "accept" })));
  for (const app of [partner, service.web]) {
    const state = loginState(await sendAuthorization(browser, app, { prompt: "consent" }));
    expect(screenName(await getFlow(browser, state))).toBe("consent");
    successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  }
  successParameters(await sendAuthorization(browser, service.web));
});

test("stores the consents of parallel tabs with different scopes", async () => {
  const browser = service.browser();
  const account = await service.addUser("parallel@example.test");
  await reachConsent(browser, account);
  const scopes = ["openid profile", "openid email", "openid phone", "openid offline_access"];
  const states = await Promise.all(scopes.map(async (scope) => loginState(await sendAuthorization(browser, partner, { scope }))));
  await Promise.all(states.map((state) => submitStep(browser, state, { action: "accept" })));
  successParameters(await sendAuthorization(browser, partner, { prompt: "none", scope: "openid profile email phone offline_access" }));
});

test("redirects to the client with an error after the login if the client may not access the API", async () => {
  await service.manage.create("/api/v2/resource-servers", {
    name: "Closed",
    identifier: "https://closed.example.test/",
    scopes: [{ value: "read:secrets" }],
    subject_type_authorization: { user: { policy: "require_client_grant" } },
  });
  const browser = service.browser();
  const state = loginState(
    await sendAuthorization(browser, service.web, { audience: "https://closed.example.test/", scope: "openid read:secrets" }),
  );
  await submit(browser, state, { action: "continue", identifier: service.ada.email });
  const result = errorParameters(await submit(browser, state, { action: "sign-in", password: service.ada.password }));
  expect(result).toMatchObject({ error: "access_denied", state: "st-1", iss: service.postern.issuer });
  const silent = await sendAuthorization(browser, service.web, { audience: "https://closed.example.test/", prompt: "none" });
  expect(errorParameters(silent)["error"]).toBe("access_denied");
});

test("ignores unknown scopes", async () => {
  const browser = service.browser();
  const account = await service.addUser("unknown-scopes@example.test");
  const state = loginState(
    await sendAuthorization(browser, service.web, { scope: "openid read:orders made:up", audience: "https://shop.example.test/" }),
  );
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: account.password })));
  const result = tokens(await service.exchange(codeGrant(service.web, code)));
  expect(result.scope).toBe("openid read:orders");
  expect(claimsOf(result.access)).toMatchObject({
    aud: ["https://shop.example.test/", `${service.postern.issuer}userinfo`],
    scope: result.scope,
  });
});
