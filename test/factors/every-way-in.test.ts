import { beforeEach, describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  errorParameters,
  getFlow,
  screenName,
  successParameters,
  tokens,
  type FlowResult,
} from "../support/flow.ts";
import { setPolicies } from "./support.ts";
import {
  addApp,
  addAppByApi,
  addTravellers,
  arriveForDevice,
  creatingWays,
  exchangeAccessToken,
  jsonMembersOf,
  openMagicLinkElsewhere,
  openPasskeyWays,
  openWorld,
  passApp,
  passAppByApi,
  refresh,
  repeatableWays,
  resetByTicket,
  sessionWays,
  singleWays,
  tokensBefore,
  type WayInResult,
  type Travellers,
  type World,
} from "./ways-in.ts";

/**
 * No way that signs a user in or issues a token avoids the second factor: before it, there is no session, no cookie of
 * a session, no code and no token.
 */

let world: World;
let travellers: Travellers;
let issued: Issued;

beforeEach(async () => {
  world = await openWorld();
  travellers = await addTravellers(world);
  await setPolicies(world.service, ["all-applications"]);
  issued = await countIssued();
});

const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

/** The number of stored sessions, codes and refresh tokens. */
interface Issued {
  readonly sessions: number;
  readonly codes: number;
  readonly refreshTokens: number;
}

async function countIssued(): Promise<Issued> {
  const { sessions, authorization_codes: codes, refresh_tokens: refreshTokens } = world.service.data.collections;
  const where = { tenant_id: "main" };
  return { sessions: await sessions.count(where), codes: await codes.count(where), refreshTokens: await refreshTokens.count(where) };
}

const hasSessionCookie = ({ cookies }: Browser): boolean => [...cookies.keys()].some((name) => name.includes("postern_session"));

/** Requires that the user waits for a second factor and that nothing was issued. @returns the state, or the `mfa_token`. */
async function expectNothingIssued(reached: WayInResult, screen: "factor" | "add-factor"): Promise<string> {
  expect(await countIssued()).toEqual(issued);
  if (reached.kind === "grant") {
    expect(reached.response).toMatchObject({ status: 403, body: { error: "mfa_required", mfa_token: expect.any(String) } });
    for (const name of ["access_token", "id_token", "refresh_token"]) expect(reached.response.body).not.toHaveProperty(name);
    return stringMember(jsonMembersOf(reached.response.body), "mfa_token");
  }
  const { browser, result } = reached;
  if (result.kind !== "login") throw new Error(`not the login page: ${JSON.stringify(result)}`);
  expect(screenName(await getFlow(browser, result.state))).toBe(screen);
  expect(hasSessionCookie(browser)).toBe(false);
  expect(errorParameters(await sendAuthorization(browser, world.app, { prompt: "none" }))).toMatchObject({ error: "login_required" });
  expect(await countIssued()).toEqual(issued);
  return result.state;
}

/** Requires that the client received what it requested. @param level the `acr` of the login. */
async function expectIssued(reached: WayInResult, level: string | undefined): Promise<void> {
  if (reached.kind === "grant") expect(claimsOf(tokens(reached.response).id)["acr"]).toBe(level);
  else await expectResponse(reached.browser, reached.result, level);
  expect((await countIssued()).sessions).toBeGreaterThan(issued.sessions);
  issued = await countIssued();
}

async function expectResponse(browser: Browser, result: FlowResult, level: string | undefined): Promise<void> {
  const { code, id_token: idToken, access_token: accessToken } = successParameters(result);
  expect(code ?? idToken ?? accessToken).toEqual(expect.any(String));
  expect(hasSessionCookie(browser)).toBe(true);
  successParameters(await sendAuthorization(browser, world.app, { prompt: "none" }));
  const id = code === undefined ? idToken : tokens(await world.service.exchange(codeGrant(world.app, code))).id;
  if (id !== undefined) expect(claimsOf(id)["acr"]).toBe(level);
}

/** Completes the login with a new authenticator app. @returns the key of the app. */
async function completeWithNewApp(reached: WayInResult): Promise<string> {
  const waiting = await expectNothingIssued(reached, "add-factor");
  if (reached.kind === "grant") {
    const { secret, response } = await addAppByApi(world, waiting);
    await expectIssued({ kind: "grant", response }, acr);
    return secret;
  }
  const { secret, result } = await addApp(world, reached.browser, waiting);
  await expectIssued({ ...reached, result }, acr);
  return secret;
}

async function completeWithApp(reached: WayInResult, secret: string): Promise<void> {
  const waiting = await expectNothingIssued(reached, "factor");
  if (reached.kind === "grant") await expectIssued({ kind: "grant", response: await passAppByApi(world, waiting, secret) }, acr);
  else await expectIssued({ ...reached, result: await passApp(world, reached.browser, waiting, secret) }, acr);
}

/** Adds an authenticator app to the local user. */
async function enrollLocal(): Promise<string> {
  const way = repeatableWays["the hosted password page"];
  if (way === undefined) throw new Error("the way is missing");
  return completeWithNewApp(await way(world, travellers));
}

describe.each(Object.entries(repeatableWays))("%s", (_, way) => {
  test("requires a user without factors to add one, and a user with an authenticator app to use it", async () => {
    const secret = await completeWithNewApp(await way(world, travellers));
    await completeWithApp(await way(world, travellers), secret);
  });

  test("succeeds without a factor if there is no policy", async () => {
    await setPolicies(world.service, []);
    await expectIssued(await way(world, travellers), undefined);
  });
});

describe.each(Object.entries(singleWays))("%s", (_, way) => {
  test("requires a user with an authenticator app to use it", async () => {
    const secret = await enrollLocal();
    await completeWithApp(await way(world, travellers), secret);
  });

  test("requires a user without factors to add one", async () => {
    await completeWithNewApp(await way(world, travellers));
  });

  test("succeeds without a factor if there is no policy", async () => {
    await setPolicies(world.service, []);
    await expectIssued(await way(world, travellers), undefined);
  });
});

describe.each(Object.entries(creatingWays))("%s", (_, way) => {
  test("requires the new user to add a factor", async () => {
    await completeWithNewApp(await way(world, travellers));
  });

  test("succeeds without a factor if there is no policy", async () => {
    await setPolicies(world.service, []);
    await expectIssued(await way(world, travellers), undefined);
  });
});

describe.each(Object.entries(sessionWays))("%s with a session that began before the policy", (_, way) => {
  test("requires the factor, and adds it to the session", async () => {
    const secret = await enrollLocal();
    const reached = await way(world, travellers);
    if (reached.kind !== "browser" || reached.result.kind !== "login") throw new Error("not the login page");
    const { browser, result } = reached;
    const before = await countIssued();
    expect(screenName(await getFlow(browser, result.state))).toBe("factor");
    const silent = errorParameters(await sendAuthorization(browser, world.app, { prompt: "none" }));
    expect(silent).toMatchObject({ error: "login_required", error_description: "Multifactor authentication required" });
    expect(await countIssued()).toEqual(before);
    await expectResponse(browser, await passApp(world, browser, result.state, secret), acr);
    expect((await countIssued()).sessions).toBe(before.sessions);
  });
});

describe("the device grant", () => {
  test("requires a user without factors to add one, and a user with an authenticator app to use it", async () => {
    const first = await arriveForDevice(world, travellers);
    const state = await expectNothingIssued(first.reached, "add-factor");
    expect((await first.connect()).body).toMatchObject({ error: "authorization_pending" });
    const { secret } = await addApp(world, first.reached.browser, state);
    expect(claimsOf(tokens(await first.connect()).id)["acr"]).toBe(acr);
    issued = await countIssued();
    const second = await arriveForDevice(world, travellers);
    await passApp(world, second.reached.browser, await expectNothingIssued(second.reached, "factor"), secret);
    expect(claimsOf(tokens(await second.connect()).id)["acr"]).toBe(acr);
  });

  test("requires the factor of a user whose session began before the policy", async () => {
    await setPolicies(world.service, []);
    const { connect, poll } = await arriveForDevice(world, travellers);
    await setPolicies(world.service, ["all-applications"]);
    expect((await connect()).body).toMatchObject({ error: "authorization_pending" });
    await setPolicies(world.service, []);
    expect((await poll()).status).toBe(400);
  });

  test("succeeds without a factor if there is no policy", async () => {
    await setPolicies(world.service, []);
    const { connect } = await arriveForDevice(world, travellers);
    expect(claimsOf(tokens(await connect()).id)["acr"]).toBeUndefined();
  });
});

describe("the passkey grant", () => {
  const setCounts = (counts: boolean) => world.service.manage("PATCH", "/api/v2/tenants/settings", { passkey_counts_as_factor: counts });

  test("requires a factor after the sign-up and after each sign-in if passkeys do not count as one", async () => {
    const { signUp, signIn } = await openPasskeyWays(world);
    await setCounts(false);
    const secret = await completeWithNewApp(await signUp("passkey@people.example"));
    await completeWithApp(await signIn(), secret);
  });

  test("requires the authenticator app that a user with a passkey added, and adds no other one", async () => {
    const { signUp, signIn } = await openPasskeyWays(world);
    await setCounts(false);
    await completeWithNewApp(await signUp("passkey@people.example"));
    const token = await expectNothingIssued(await signIn(), "factor");
    const added = await world.service.call("POST", "/mfa/associate", { token, body: { authenticator_types: ["otp"] } });
    expect(added).toMatchObject({ status: 400, body: { error: "access_denied" } });
  });

  test("satisfies the policy alone if passkeys count as a factor, because the passkey verified the user", async () => {
    const { signUp, signIn } = await openPasskeyWays(world);
    await expectIssued(await signUp("passkey@people.example"), acr);
    await expectIssued(await signIn(), acr);
  });

  test("succeeds without another factor and without an acr if there is no policy and the passkey does not count as two factors", async () => {
    await setPolicies(world.service, []);
    await setCounts(false);
    const { signUp, signIn } = await openPasskeyWays(world);
    await expectIssued(await signUp("passkey@people.example"), undefined);
    await expectIssued(await signIn(), undefined);
  });
});

describe("a magic link in another browser", () => {
  test("starts no session there if a factor is required", async () => {
    const way = repeatableWays["a hosted one-time code"];
    if (way === undefined) throw new Error("the way is missing");
    for (const isEnrolled of [false, true]) {
      if (isEnrolled) await completeWithNewApp(await way(world, travellers));
      const { browser, to } = await openMagicLinkElsewhere(world, travellers.mailed);
      expect(to).toContain("problem=factor-required");
      expect(hasSessionCookie(browser)).toBe(false);
      expect(await countIssued()).toEqual(issued);
    }
  });

  test("leaves its code valid in the browser in which the login started, also for a user without an account", async () => {
    const way = repeatableWays["a hosted one-time code"];
    if (way === undefined) throw new Error("the way is missing");
    for (const screen of ["add-factor", "factor"]) {
      const { enterCode } = await openMagicLinkElsewhere(world, travellers.mailed);
      expect(screenName(await enterCode())).toBe(screen);
      if (screen === "add-factor") await completeWithNewApp(await way(world, travellers));
    }
    const stranger = await openMagicLinkElsewhere(world, "stranger@people.example");
    expect(stranger.to).toContain("problem=factor-required");
    expect(screenName(await stranger.enterCode())).toBe("add-factor");
  });

  test("says that the code can be entered where the login started", async () => {
    const { browser, to } = await openMagicLinkElsewhere(world, travellers.mailed);
    const page = await browser.get(to);
    expect(await page.text()).toContain("In the browser where you started, open the link or enter the code from the message.");
  });

  test("starts a session there if there is no policy", async () => {
    await setPolicies(world.service, []);
    const { browser, to } = await openMagicLinkElsewhere(world, travellers.mailed);
    expect(to).toBe("https://app.example.test/login");
    expect(hasSessionCookie(browser)).toBe(true);
    successParameters(await sendAuthorization(browser, world.app, { prompt: "none" }));
  });
});

test("the password page of a ticket starts no session, with or without a policy", async () => {
  await enrollLocal();
  for (const policies of [["all-applications"], []]) {
    await setPolicies(world.service, policies);
    const browser = await resetByTicket(world, travellers.local);
    expect(hasSessionCookie(browser)).toBe(false);
    expect((await countIssued()).codes).toBe(issued.codes);
    expect(errorParameters(await sendAuthorization(browser, world.app, { prompt: "none" }))).toMatchObject({ error: "login_required" });
  }
});

test("a refresh token and an access token of a session that began before the policy are exchanged, and claim no factor", async () => {
  await enrollLocal();
  const before = await tokensBefore(world, travellers);
  const refreshed = tokens(await refresh(world, before.refresh));
  expect(claimsOf(refreshed.id)).not.toHaveProperty("acr");
  const exchanged = tokens(await exchangeAccessToken(world, before.access));
  expect(claimsOf(exchanged.access)).not.toHaveProperty("acr");
  expect(claimsOf(exchanged.id)).not.toHaveProperty("acr");
});
