import { expect, test } from "vitest";
import {
  sendAuthorization,
  successParameters,
  getFlow,
  openService,
  readRedirect,
  redirectOf,
  screenName,
  submitStep,
  authorizeParameters,
} from "../support/flow.ts";

const requested = (app: Parameters<typeof authorizeParameters>[0], more = {}): string =>
  `/authorize?${new URLSearchParams(authorizeParameters(app, more))}`;

test("redirects to the host's login page on the issuer's host, with the state and the step", async () => {
  const service = await openService({ issuer: "https://id.example.test/auth/", loginPage: "/sign-in" });
  const browser = service.browser();
  const address = new URL((await browser.get(requested(service.web))).headers.get("location") ?? "");
  expect(address.origin + address.pathname).toBe("https://id.example.test/sign-in");
  expect(Object.fromEntries(address.searchParams)).toEqual({ state: expect.any(String), step: "identifier" });

  const state = address.searchParams.get("state") ?? "";
  expect(screenName(await getFlow(browser, state))).toBe("identifier");
  const { email: identifier, password } = service.ada;
  successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", identifier, password })));
});

test("redirects to the login page on the tenant's custom domain", async () => {
  const service = await openService({ loginPage: "/sign-in" });
  await service.postern.seed({ tenantId: "main", domains: ["login.customer.example"] });
  const response = await service.postern.fetch(new Request(`https://login.customer.example${requested(service.web)}`));
  expect(response.headers.get("location")).toMatch(/^https:\/\/login\.customer\.example\/sign-in\?state=/);
});

test("shows a form_post response on the hosted page", async () => {
  const service = await openService({ loginPage: "/sign-in" });
  const browser = service.browser();
  const started = await browser.get(requested(service.web, { response_mode: "form_post" }));
  const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? "";
  const { email: identifier, password } = service.ada;
  const { redirect_to: end } = await submitStep(browser, state, { action: "sign-in", identifier, password });
  expect(readRedirect(String(end))).toEqual({ kind: "login", state });
  const page = await (await browser.get(new URL(String(end)).pathname + new URL(String(end)).search)).text();
  expect(page).toContain(`action="${service.web.redirectUri}"`);
  expect(await sendAuthorization(browser, service.web, { prompt: "none" })).toMatchObject({ kind: "response" });
});
