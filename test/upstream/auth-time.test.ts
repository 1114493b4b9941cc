import { describe, expect, test } from "vitest";
import { text } from "../support/api.ts";
import {
  authorize,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  step,
  tokens,
  type AuthorizationParameters,
  type FlowResult,
} from "../support/flow.ts";
import { returnFromProvider, signInWithProvider, goToProvider, openFederation, signInAtProvider } from "./journey.ts";
import { openScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";

const ann = { sub: "s-1", email: "ann@people.example", email_verified: true };
const minute = 60_000;

/** The claims of the ID token that the client gets for an answer. */
async function idTokenClaims({ service }: Pick<ScriptedProvider, "service">, reached: FlowResult): Promise<Record<string, unknown>> {
  const { code = "" } = successParameters(reached);
  return claimsOf(tokens(await service.exchange(codeGrant(service.web, code))).id);
}

/** The OAuth error that the client gets. */
function refusal(reached: FlowResult): string | undefined {
  if (reached.kind !== "answer") throw new Error(`no answer: ${JSON.stringify(reached)}`);
  return reached.parameters["error"];
}

const seconds = ({ service }: Pick<ScriptedProvider, "service">): number => Math.floor(service.clock.now() / 1000);

describe("a request for a new authentication reaches the provider", async () => {
  const federation = await openFederation();
  const { service } = federation;
  await federation.connect();

  test.each<[asked: AuthorizationParameters, sent: AuthorizationParameters]>([
    [{}, {}],
    [{ max_age: "300" }, { max_age: "300" }],
    [{ max_age: "0" }, { max_age: "0", prompt: "login" }],
    [{ prompt: "login" }, { max_age: "0", prompt: "login" }],
    [
      { prompt: "login", max_age: "300" },
      { max_age: "300", prompt: "login" },
    ],
    [{ prompt: "consent" }, {}],
  ])("%o as %o", async (asked, sent) => {
    const { searchParams } = new URL(await goToProvider(federation, service.browser(), service.web, asked));
    const { max_age: maxAge, prompt } = Object.fromEntries(searchParams);
    expect({ max_age: maxAge, prompt }).toEqual({ max_age: sent["max_age"], prompt: sent["prompt"] });
  });
});

test("the whole way: the provider authenticates the user anew, and the client gets the provider's auth_time", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  await federation.connect();
  const account = await provider.addUser("ann@people.example");
  const there = provider.browser();
  const began = seconds(federation);
  const go = async (asked: AuthorizationParameters): Promise<Record<string, unknown>> => {
    const browser = service.browser();
    const address = await goToProvider(federation, browser, service.web, asked);
    return idTokenClaims(federation, await returnFromProvider(browser, await signInAtProvider(federation, address, account, there)));
  };
  expect(await go({})).toMatchObject({ auth_time: began });
  service.clock.advance(30 * minute);
  // The provider's own session signs in, and says since when.
  expect(await go({})).toMatchObject({ auth_time: began });
  expect(await go({ max_age: "3600" })).toMatchObject({ auth_time: began });
  expect(await go({ max_age: "60" })).toMatchObject({ auth_time: began + 1800 });
  service.clock.advance(10 * minute);
  expect(await go({ prompt: "login" })).toMatchObject({ auth_time: began + 2400 });
  service.clock.advance(10 * minute);
  expect(await go({ max_age: "0" })).toMatchObject({ auth_time: began + 3000 });
});

describe("a provider that did not authenticate the user anew", () => {
  test.each<[asked: AuthorizationParameters, age: number]>([
    [{ prompt: "login" }, 600],
    [{ max_age: "0" }, 600],
    [{ max_age: "300" }, 600],
    [{ prompt: "login", max_age: "3600" }, 600],
  ])("fails a request with %o", async (asked, age) => {
    const provider = await openScriptedProvider({ allow_callback_auth_time: true });
    const reached = await provider.signInAs({ ...ann, auth_time: seconds(provider) - age }, { asked });
    expect(refusal(reached)).toBe("unmet_authentication_requirements");
    const { body: events } = await provider.service.manage("GET", "/api/v2/logs?q=type:fc");
    expect(events).toMatchObject([{ description: expect.stringMatching(/'auth_time' is \d+, expected at least \d+ by the clock/) }]);
    const { body } = await provider.service.manage("GET", "/api/v2/users?q=connection:fieldnotes");
    expect(body).toEqual([]);
  });

  test("is believed within the tolerance for clocks, and never about the future", async () => {
    const provider = await openScriptedProvider();
    const now = seconds(provider);
    for (const asked of [{ prompt: "login" }, { max_age: "0" }]) {
      expect(await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now - 20 }, { asked }))).toMatchObject({
        auth_time: now,
      });
    }
    const claims = await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now - 310 }, { asked: { max_age: "300" } }));
    expect(claims).toMatchObject({ auth_time: now - 300 });
    expect(await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now + 20 }))).toMatchObject({ auth_time: now });
    expect((await provider.signInAs({ ...ann, auth_time: now + 600 })).kind).toBe("login");
  });
});

describe("a provider that does not say when it authenticated the user", () => {
  const demands: readonly AuthorizationParameters[] = [{ prompt: "login" }, { max_age: "0" }, { max_age: "3600" }];

  test("fails a request that demands it, with the reason in the log", async () => {
    const provider = await openScriptedProvider();
    for (const asked of demands) expect(refusal(await provider.signInAs(ann, { asked }))).toBe("unmet_authentication_requirements");
    const { body } = await provider.service.manage("GET", "/api/v2/logs");
    const entries = body as readonly { type: string; description: string; connection: string }[];
    const reasons = entries.filter(({ type }) => type === "fc");
    expect(reasons).toHaveLength(demands.length);
    for (const entry of reasons)
      expect(entry).toMatchObject({ connection: "fieldnotes", description: expect.stringContaining("auth_time") });
  });

  test("signs in for any other request, and the ID token does not pretend to know", async () => {
    const provider = await openScriptedProvider();
    expect(await idTokenClaims(provider, await provider.signInAs(ann))).not.toHaveProperty("auth_time");
  });

  test("with `allow_callback_auth_time` the time of the callback counts", async () => {
    const provider = await openScriptedProvider({ allow_callback_auth_time: true });
    for (const asked of [{}, ...demands])
      expect(await idTokenClaims(provider, await provider.signInAs(ann, { asked }))).toMatchObject({ auth_time: seconds(provider) });
  });

  test("its session satisfies no later request that demands it", async () => {
    const provider = await openScriptedProvider();
    const { service } = provider;
    const browser = service.browser();
    await provider.signInAs(ann, { browser });
    successParameters(await authorize(browser, service.web));
    loginState(await authorize(browser, service.web, { max_age: "3600" }));
    expect(await authorize(browser, service.web, { max_age: "3600", prompt: "none" })).toMatchObject({
      parameters: { error: "login_required" },
    });
  });

  test("and a refreshed ID token does not pretend to know either", async () => {
    const provider = await openScriptedProvider();
    const { service } = provider;
    const { code = "" } = successParameters(await provider.signInAs(ann, { asked: { scope: "openid offline_access" } }));
    const first = tokens(await service.exchange(codeGrant(service.web, code)));
    const form = { grant_type: "refresh_token", client_id: service.web.clientId, refresh_token: first.refresh };
    const refreshed = tokens(await service.exchange({ ...codeGrant(service.web, ""), ...form }));
    expect(claimsOf(refreshed.id)).not.toHaveProperty("auth_time");
    // Also when a later sign-in of the session said it: what was granted before rests on the earlier one.
  });
});

describe("a provider of OAuth 2.0 alone", () => {
  const options = { client_id: "we", client_secret: "a secret of ours" };

  test.each([
    [false, "unmet_authentication_requirements"],
    [true, undefined],
  ])("with `allow_callback_auth_time: %s`", async (allowed, error) => {
    const federation = await openFederation();
    const { service } = federation;
    await federation.connect({ name: "github", strategy: "github", options: { ...options, allow_callback_auth_time: allowed } });
    for (const asked of [{ prompt: "login" }, { max_age: "0" }, { max_age: "3600" }]) {
      const browser = service.browser();
      const state = loginState(await authorize(browser, service.web, asked));
      const taken = await step(browser, state, { action: "continue-with", connection: "github" });
      const to = new URL(text(taken, "redirect_to"));
      if (error === undefined) expect(to.host).toBe("github.com");
      else expect([to.searchParams.get("error"), to.searchParams.has("code")]).toEqual([error, false]);
    }
    expect(federation.requests).toEqual([]);
  });
});

test("a session that goes on keeps the later of two authentications", async () => {
  const provider = await openScriptedProvider();
  const now = seconds(provider);
  const browser = provider.service.browser();
  const later = async (): Promise<void> =>
    expect(await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now - 10 }, { browser }))).toMatchObject({
      auth_time: now - 10,
    });
  const reached = await provider.signInAs({ ...ann, auth_time: now - 900 }, { browser, whileAway: later });
  expect(await idTokenClaims(provider, reached)).toMatchObject({ auth_time: now - 10 });
});

test("a session whose time is known keeps it when the provider does not say it the next time", async () => {
  const provider = await openScriptedProvider();
  const now = seconds(provider);
  const browser = provider.service.browser();
  const known = async (): Promise<unknown> => successParameters(await provider.signInAs({ ...ann, auth_time: now - 10 }, { browser }));
  expect(await idTokenClaims(provider, await provider.signInAs(ann, { browser, whileAway: known }))).toMatchObject({ auth_time: now - 10 });
});

test("a request without a demand is answered as before", async () => {
  const federation = await openFederation();
  await federation.connect();
  successParameters(await signInWithProvider(federation, await federation.provider.addUser("ann@people.example")));
  const { service } = federation;
  const browser = service.browser();
  expect(await getFlow(browser, loginState(await authorize(browser, service.web)))).toMatchObject({ screen: { name: "identifier" } });
});
