import { describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  submitStep,
  tokens,
  type AuthorizationParameters,
  type FlowResult,
} from "../support/flow.ts";
import { returnFromProvider, signInWithProvider, goToProvider, openFederation, submitProviderSignIn } from "./federation.ts";
import { openScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";

const ann = { sub: "s-1", email: "ann@people.example", email_verified: true };
const minute = 60_000;

/** The claims of the ID token that the client gets for a code. */
async function idTokenClaims({ service }: Pick<ScriptedProvider, "service">, result: FlowResult): Promise<Record<string, unknown>> {
  const { code = "" } = successParameters(result);
  return claimsOf(tokens(await service.exchange(codeGrant(service.web, code))).id);
}

/** The OAuth error that the client gets. */
function errorOf(result: FlowResult): string | undefined {
  if (result.kind !== "response") throw new Error(`not an authorization response: ${JSON.stringify(result)}`);
  return result.parameters["error"];
}

const seconds = ({ service }: Pick<ScriptedProvider, "service">): number => Math.floor(service.clock.now() / 1000);

describe("a request for a new authentication is sent to the identity provider", async () => {
  const federation = await openFederation();
  const { service } = federation;
  await federation.connect();

  test.each<[parameters: AuthorizationParameters, sent: AuthorizationParameters]>([
    [{}, {}],
    [{ max_age: "300" }, { max_age: "300" }],
    [{ max_age: "0" }, { max_age: "0", prompt: "login" }],
    [{ prompt: "login" }, { max_age: "0", prompt: "login" }],
    [
      { prompt: "login", max_age: "300" },
      { max_age: "300", prompt: "login" },
    ],
    [{ prompt: "consent" }, {}],
  ])("sends %o as %o", async (requested, sent) => {
    const { searchParams } = new URL(await goToProvider(federation, service.browser(), service.web, requested));
    const { max_age: maxAge, prompt } = Object.fromEntries(searchParams);
    expect({ max_age: maxAge, prompt }).toEqual({ max_age: sent["max_age"], prompt: sent["prompt"] });
  });
});

test("the identity provider authenticates the user again, and the client gets the provider's auth_time", async () => {
  const federation = await openFederation();
  const { service, provider } = federation;
  await federation.connect();
  const account = await provider.addUser("ann@people.example");
  const providerBrowser = provider.browser();
  const startedAt = seconds(federation);
  const go = async (parameters: AuthorizationParameters): Promise<Record<string, unknown>> => {
    const browser = service.browser();
    const address = await goToProvider(federation, browser, service.web, parameters);
    return idTokenClaims(
      federation,
      await returnFromProvider(browser, await submitProviderSignIn(federation, address, account, providerBrowser)),
    );
  };
  expect(await go({})).toMatchObject({ auth_time: startedAt });
  service.clock.advance(30 * minute);
  // The identity provider uses its existing session for the user, and returns the auth_time of that session.
  expect(await go({})).toMatchObject({ auth_time: startedAt });
  expect(await go({ max_age: "3600" })).toMatchObject({ auth_time: startedAt });
  expect(await go({ max_age: "60" })).toMatchObject({ auth_time: startedAt + 1800 });
  service.clock.advance(10 * minute);
  expect(await go({ prompt: "login" })).toMatchObject({ auth_time: startedAt + 2400 });
  service.clock.advance(10 * minute);
  expect(await go({ max_age: "0" })).toMatchObject({ auth_time: startedAt + 3000 });
});

describe("an identity provider that did not authenticate the user again", () => {
  test.each<[parameters: AuthorizationParameters, age: number]>([
    [{ prompt: "login" }, 600],
    [{ max_age: "0" }, 600],
    [{ max_age: "300" }, 600],
    [{ prompt: "login", max_age: "3600" }, 600],
  ])("fails a request with %o", async (requested, age) => {
    const provider = await openScriptedProvider({ allow_callback_auth_time: true });
    const result = await provider.signInAs({ ...ann, auth_time: seconds(provider) - age }, { parameters: requested });
    expect(errorOf(result)).toBe("unmet_authentication_requirements");
    const { body: events } = await provider.service.manage("GET", "/api/v2/logs?q=type:fc");
    expect(events).toMatchObject([{ description: expect.stringMatching(/'auth_time' is \d+, expected at least \d+ by the clock/) }]);
    const { body } = await provider.service.manage("GET", "/api/v2/users?q=connection:fieldnotes");
    expect(body).toEqual([]);
  });

  test("is accepted within the tolerance for clock skew, and never for a time in the future", async () => {
    const provider = await openScriptedProvider();
    const now = seconds(provider);
    for (const requested of [{ prompt: "login" }, { max_age: "0" }]) {
      expect(
        await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now - 20 }, { parameters: requested })),
      ).toMatchObject({
        auth_time: now,
      });
    }
    const claims = await idTokenClaims(
      provider,
      await provider.signInAs({ ...ann, auth_time: now - 310 }, { parameters: { max_age: "300" } }),
    );
    expect(claims).toMatchObject({ auth_time: now - 300 });
    expect(await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now + 20 }))).toMatchObject({ auth_time: now });
    expect((await provider.signInAs({ ...ann, auth_time: now + 600 })).kind).toBe("login");
  });
});

describe("an identity provider that sends no auth_time", () => {
  const demands: readonly AuthorizationParameters[] = [{ prompt: "login" }, { max_age: "0" }, { max_age: "3600" }];

  test("fails a request that requires auth_time, and logs the reason", async () => {
    const provider = await openScriptedProvider();
    for (const requested of demands)
      expect(errorOf(await provider.signInAs(ann, { parameters: requested }))).toBe("unmet_authentication_requirements");
    const { body } = await provider.service.manage("GET", "/api/v2/logs");
    const entries = body as readonly { type: string; description: string; connection: string }[];
    const reasons = entries.filter(({ type }) => type === "fc");
    expect(reasons).toHaveLength(demands.length);
    for (const entry of reasons)
      expect(entry).toMatchObject({ connection: "fieldnotes", description: expect.stringContaining("auth_time") });
  });

  test("signs in for any other request, without auth_time in the ID token", async () => {
    const provider = await openScriptedProvider();
    expect(await idTokenClaims(provider, await provider.signInAs(ann))).not.toHaveProperty("auth_time");
  });

  test("`allow_callback_auth_time` uses the time of the callback", async () => {
    const provider = await openScriptedProvider({ allow_callback_auth_time: true });
    for (const requested of [{}, ...demands])
      expect(await idTokenClaims(provider, await provider.signInAs(ann, { parameters: requested }))).toMatchObject({
        auth_time: seconds(provider),
      });
  });

  test("creates a session that satisfies no later request that requires auth_time", async () => {
    const provider = await openScriptedProvider();
    const { service } = provider;
    const browser = service.browser();
    await provider.signInAs(ann, { browser });
    successParameters(await sendAuthorization(browser, service.web));
    loginState(await sendAuthorization(browser, service.web, { max_age: "3600" }));
    expect(await sendAuthorization(browser, service.web, { max_age: "3600", prompt: "none" })).toMatchObject({
      parameters: { error: "login_required" },
    });
  });

  test("adds no auth_time to a refreshed ID token", async () => {
    const provider = await openScriptedProvider();
    const { service } = provider;
    const { code = "" } = successParameters(await provider.signInAs(ann, { parameters: { scope: "openid offline_access" } }));
    const first = tokens(await service.exchange(codeGrant(service.web, code)));
    const form = { grant_type: "refresh_token", client_id: service.web.clientId, refresh_token: first.refresh };
    const refreshed = tokens(await service.exchange({ ...codeGrant(service.web, ""), ...form }));
    expect(claimsOf(refreshed.id)).not.toHaveProperty("auth_time");
    // A later sign-in with auth_time in the session changes nothing: the earlier grant belongs to the earlier sign-in.
  });
});

describe("an OAuth 2.0 identity provider without OpenID Connect", () => {
  const options = { client_id: "we", client_secret: "a secret of ours" };

  test.each([
    [false, "unmet_authentication_requirements"],
    [true, undefined],
  ])("handles requests for a new authentication with `allow_callback_auth_time: %s`", async (allowed, error) => {
    const federation = await openFederation();
    const { service } = federation;
    await federation.connect({ name: "github", strategy: "github", options: { ...options, allow_callback_auth_time: allowed } });
    for (const requested of [{ prompt: "login" }, { max_age: "0" }, { max_age: "3600" }]) {
      const browser = service.browser();
      const state = loginState(await sendAuthorization(browser, service.web, requested));
      const reply = await submitStep(browser, state, { action: "continue-with", connection: "github" });
      const to = new URL(stringMember(reply, "redirect_to"));
      if (error === undefined) expect(to.host).toBe("github.com");
      else expect([to.searchParams.get("error"), to.searchParams.has("code")]).toEqual([error, false]);
    }
    expect(federation.requests).toEqual([]);
  });
});

test("a session that is continued keeps the later of the two authentication times", async () => {
  const provider = await openScriptedProvider();
  const now = seconds(provider);
  const browser = provider.service.browser();
  const later = async (): Promise<void> =>
    expect(await idTokenClaims(provider, await provider.signInAs({ ...ann, auth_time: now - 10 }, { browser }))).toMatchObject({
      auth_time: now - 10,
    });
  const result = await provider.signInAs({ ...ann, auth_time: now - 900 }, { browser, whileAway: later });
  expect(await idTokenClaims(provider, result)).toMatchObject({ auth_time: now - 10 });
});

test("a session keeps its auth_time if the identity provider sends none the next time", async () => {
  const provider = await openScriptedProvider();
  const now = seconds(provider);
  const browser = provider.service.browser();
  const known = async (): Promise<unknown> => successParameters(await provider.signInAs({ ...ann, auth_time: now - 10 }, { browser }));
  expect(await idTokenClaims(provider, await provider.signInAs(ann, { browser, whileAway: known }))).toMatchObject({ auth_time: now - 10 });
});

test("a request without max_age or prompt is unaffected", async () => {
  const federation = await openFederation();
  await federation.connect();
  successParameters(await signInWithProvider(federation, await federation.provider.addUser("ann@people.example")));
  const { service } = federation;
  const browser = service.browser();
  expect(await getFlow(browser, loginState(await sendAuthorization(browser, service.web)))).toMatchObject({
    screen: { name: "identifier" },
  });
});
