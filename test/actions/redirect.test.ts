import { SignJWT } from "jose";
import type { Action } from "@postern/core";
import type { Json } from "@postern/core/adapter";
import { describe, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  errorParameters,
  sendStep,
  submitStep,
  readResult,
  tokens,
  type AuthorizationParameters,
} from "../support/flow.ts";
import { openMailing } from "../support/mailing.ts";
import { openActionService } from "./action-service.ts";

const secret = "a-secret-that-a-page-and-an-action-share";
const consentPage = "https://acme.example/terms";

describe("an action that redirects the user", async () => {
  const { service, setActions, failures } = await openActionService();
  const { web, ada, bob } = service;

  function redirectAway(): void {
    setActions(
      {
        onExecutePostLogin: async (event, api) => {
          if (event.user.app_metadata["terms"] === true) return;
          api.idToken.setCustomClaim("before", true);
          const token = await api.redirect.encodeToken({ secret, payload: { plan: "gold" } });
          api.redirect.sendUserTo(consentPage, { query: { session_token: token } });
        },
        onContinuePostLogin: async (event, api) => {
          const { accepted } = await api.redirect.validateToken({ secret });
          if (accepted !== true) return api.access.deny("Without the terms there is no access.");
          api.user.setAppMetadata("terms", true);
        },
      },
      { onExecutePostLogin: (event, api) => api.idToken.setCustomClaim("after", event.transaction.protocol) },
    );
  }

  /** Signs in, and follows the redirect of the action. */
  async function redirectedAway(browser: Browser, parameters: AuthorizationParameters = {}): Promise<URL> {
    const state = loginState(await sendAuthorization(browser, web, parameters));
    await submitStep(browser, state, { action: "continue", identifier: ada.email });
    const response = await sendStep(browser, state, { action: "sign-in", password: ada.password });
    const { redirect_to: to = "" } = (await response.json()) as { readonly redirect_to?: string };
    expect(to).toContain(consentPage);
    return new URL(to);
  }

  async function signed(payload: { readonly [name: string]: Json }, key = secret, seconds = 60): Promise<string> {
    const now = Math.floor(service.clock.now() / 1000);
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(new TextEncoder().encode(key));
  }

  function back(browser: Browser, sent: { readonly [name: string]: string }): Promise<Response> {
    return browser.get(`/continue?${new URLSearchParams(sent)}`);
  }

  async function forget(): Promise<void> {
    await service.manage("PATCH", `/api/v2/users/${ada.userId}`, { app_metadata: { terms: null } });
  }

  test("the user opens the page and returns, and the login continues after it", async () => {
    redirectAway();
    const browser = service.browser();
    const page = await redirectedAway(browser);
    expect(page.origin + page.pathname).toBe(consentPage);
    const claims = claimsOf(page.searchParams.get("session_token") ?? "");
    expect(claims).toMatchObject({ plan: "gold", sub: ada.userId, iss: "https://id.example.test/" });
    const state = page.searchParams.get("state") ?? "";
    const response = successParameters(
      await readResult(await back(browser, { state, session_token: await signed({ state, accepted: true, sub: ada.userId }) })),
    );
    const { id } = tokens(await service.exchange(codeGrant(web, response["code"] ?? "")));
    // Earlier results still apply, and later actions in the list have run.
    expect(claimsOf(id)).toMatchObject({ before: true, after: "redirect-callback" });
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${ada.userId}`))["app_metadata"]).toEqual({ terms: true });
    await forget();
  });

  test("opening the return URL again after the response does not repeat the response", async () => {
    redirectAway();
    const browser = service.browser();
    const state = (await redirectedAway(browser)).searchParams.get("state") ?? "";
    const sent = { state, session_token: await signed({ state, accepted: true }, secret, 3600) };
    successParameters(await readResult(await back(browser, sent)));
    service.clock.advance("1m");
    const repeated = await back(browser, sent);
    expect(repeated.headers.get("location")).toMatch(/\/u\/login\?state=[^&]+$/);
    expect((await browser.get(String(repeated.headers.get("location")))).headers.get("location")).toBeNull();
    await forget();
  });

  test("accepts a form as the return request as well", async () => {
    redirectAway();
    const browser = service.browser();
    const page = await redirectedAway(browser);
    const state = page.searchParams.get("state") ?? "";
    successParameters(
      await readResult(await browser.post("/continue", { form: { state, session_token: await signed({ state, accepted: true }) } })),
    );
    await forget();
  });

  test("redirects a user with a session too, and binds the login session to its browser", async () => {
    setActions({});
    const browser = service.browser();
    await login(browser, web, ada);
    redirectAway();
    const stored = loginState(await sendAuthorization(browser, web));
    const redirected = await browser.get(`/u/login?${new URLSearchParams({ state: stored })}`);
    const page = new URL(redirected.headers.get("location") ?? "");
    expect(page.origin + page.pathname).toBe(consentPage);
    expect(page.searchParams.get("state")).toBe(stored);
    const sent = { state: stored, session_token: await signed({ state: stored, accepted: true }) };
    const stranger = await back(service.browser(), sent);
    expect(stranger.status).toBe(400);
    successParameters(await readResult(await back(browser, sent)));
    await forget();
  });

  test("redirects again if the user returns to the login page, and sends no response before the return", async () => {
    redirectAway();
    const browser = service.browser();
    const page = await redirectedAway(browser);
    const state = page.searchParams.get("state") ?? "";
    const repeated = await browser.get(`/u/login?${new URLSearchParams({ state })}`);
    expect(repeated.headers.get("location")).toBe(page.href);
  });

  for (const [description, make] of Object.entries({
    "signed with another secret": (state: string) => signed({ state, accepted: true }, "another-secret-that-is-as-long-as-it"),
    "of another login session": () => signed({ state: "main.other", accepted: true }),
    "for another user": (state: string) => signed({ state, accepted: true, sub: bob.userId }),
    "that expired": (state: string) => signed({ state, accepted: true }, secret, -1),
    "that is malformed": async () => "none",
  })) {
    test(`rejects a token ${description}, and lets the user retry`, async () => {
      redirectAway();
      const browser = service.browser();
      const state = (await redirectedAway(browser)).searchParams.get("state") ?? "";
      expect(errorParameters(await readResult(await back(browser, { state, session_token: await make(state) })))).toMatchObject({
        error: "temporarily_unavailable",
      });
      expect(failures().at(-1)).toMatchObject({ trigger: "onContinuePostLogin" });
      expect(jsonBody(await service.manage("GET", `/api/v2/users/${ada.userId}`))["app_metadata"]).toEqual({});
    });
  }

  test("can deny the login after the user returns", async () => {
    redirectAway();
    const browser = service.browser();
    const state = (await redirectedAway(browser)).searchParams.get("state") ?? "";
    const response = errorParameters(
      await readResult(await back(browser, { state, session_token: await signed({ state, accepted: false }) })),
    );
    expect(response).toMatchObject({ error: "access_denied", error_description: "Without the terms there is no access." });
  });

  test("never redirects in silent authentication and at the token endpoint", async () => {
    setActions({});
    const browser = service.browser();
    const app = await service.register({ secret: true, grant_types: ["authorization_code", "password"] });
    await login(browser, web, ada);
    redirectAway();
    expect(errorParameters(await sendAuthorization(browser, web, { prompt: "none" }))).toMatchObject({ error: "interaction_required" });
    const body = {
      grant_type: "password",
      client_id: app.clientId,
      client_secret: app.secret ?? "",
      username: ada.email,
      password: ada.password,
    };
    expect(await service.exchange(body)).toMatchObject({ status: 403, body: { error: "interaction_required" } });
  });

  test("redirects to http and https URLs only", async () => {
    setActions({ onExecutePostLogin: (event, api) => api.redirect.sendUserTo("javascript:alert(1)") });
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, web));
    await submitStep(browser, state, { action: "continue", identifier: ada.email });
    const sent = await sendStep(browser, state, { action: "sign-in", password: ada.password });
    expect(((await sent.json()) as { redirect_to: string }).redirect_to).toContain("error=temporarily_unavailable");
  });

  for (const [description, sent] of Object.entries({
    "no state": {},
    "an unknown state": { state: "main.none" },
    "a malformed state": { state: "x".repeat(299) },
  })) {
    test(`responds to /continue with ${description} with a page that explains how to start`, async () => {
      expect((await back(service.browser(), sent)).status).toBe(400);
    });
  }

  test("/continue of a login session without a redirect shows the current step", async () => {
    setActions({});
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, web));
    const shown = await back(browser, { state });
    expect(shown.headers.get("location")).toContain("/u/login?");
  });
});

test("after the list of actions changed, the return continues with the action that redirected, by its name", async () => {
  const terms: Action = {
    name: "terms",
    onExecutePostLogin: (_, api) => api.redirect.sendUserTo(consentPage),
    onContinuePostLogin: (_, api) => api.idToken.setCustomClaim("back", true),
  };
  const actions = [terms];
  const { service } = await openMailing({}, { actions });
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const { redirect_to: to } = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  expect(String(to)).toContain(consentPage);
  actions.unshift({ name: "new", onExecutePostLogin: () => {}, onContinuePostLogin: (_, api) => api.access.deny("the wrong one") });
  const response = successParameters(await readResult(await browser.get(`/continue?${new URLSearchParams({ state })}`)));
  expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, response["code"] ?? ""))).id)["back"]).toBe(true);
});
