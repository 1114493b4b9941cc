import { beforeAll, describe, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { formFields, type Browser } from "../support/browser.ts";
import { errorParameters, sendAuthorization } from "../support/flow.ts";
import { complete, openCertificateWorld, type CertificateWorld } from "./world.ts";

/** The plan RP-Initiated Logout. */

const bye = "https://app.example.test/bye";
let world: CertificateWorld;
beforeAll(async () => {
  world = await openCertificateWorld();
});

/** Signs a user in. @returns the browser and the ID token. */
async function begin(): Promise<{ readonly browser: Browser; readonly hint: string }> {
  const browser = world.browser();
  const { exchanged } = await complete(world, { response_type: "code" }, {}, browser);
  return { browser, hint: exchanged?.id ?? "" };
}

const send = (browser: Browser, parameters: { readonly [name: string]: string }) =>
  browser.get(`/oidc/logout?${new URLSearchParams(parameters)}`);

const expectSignedOut = async (browser: Browser) =>
  expect(errorParameters(await sendAuthorization(browser, world.first, { prompt: "none" }))["error"]).toBe("login_required");

test("oidcc-rp-initiated-logout-discovery-endpoint-verification: end_session_endpoint is an https URL", async () => {
  const metadata = jsonBody(await world.call("GET", "/.well-known/openid-configuration"));
  expect(new URL(String(metadata["end_session_endpoint"])).protocol).toBe("https:");
});

test("oidcc-rp-initiated-logout: ends at the URI with the same state and nothing else, and prompt=none fails", async () => {
  const { browser, hint } = await begin();
  const response = await send(browser, { id_token_hint: hint, post_logout_redirect_uri: bye, state: "st-7" });
  expect(response.headers.get("location")).toBe(`${bye}?state=st-7`);
  await expectSignedOut(browser);
});

test("oidcc-rp-initiated-logout-no-state: redirects without state", async () => {
  const { browser, hint } = await begin();
  expect((await send(browser, { id_token_hint: hint, post_logout_redirect_uri: bye })).headers.get("location")).toBe(bye);
});

test.each([
  ["bad-post-logout-redirect-uri", "https://app.example.test/elsewhere"],
  ["query-added-to-post-logout-redirect-uri", `${bye}?foo=bar`],
])("oidcc-rp-initiated-logout-%s: shows an error page and does not redirect", async (_, uri) => {
  const { browser, hint } = await begin();
  const response = await send(browser, { id_token_hint: hint, post_logout_redirect_uri: uri, state: "st-7" });
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
});

test.each([
  ["bad-id-token-hint", (hint: string) => hint.replace(/[^.]*$/, "AAAA")],
  ["modified-id-token-hint", (hint: string) => `${btoa('{"alg":"none"}').replaceAll("=", "")}.${hint.split(".")[1] ?? ""}.`],
])("oidcc-rp-initiated-logout-%s: shows an error page and does not redirect", async (_, change) => {
  const { browser, hint } = await begin();
  const response = await send(browser, { id_token_hint: change(hint), post_logout_redirect_uri: bye });
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
});

describe("without a hint, a page asks the user, who is then signed out without a redirect", () => {
  test.each([
    ["no-id-token-hint", { post_logout_redirect_uri: bye, state: "st-7" }],
    ["no-params", {}],
    ["only-state", { state: "st-7" }],
  ])("oidcc-rp-initiated-logout-%s", async (_, parameters) => {
    const { browser } = await begin();
    const sent = "post_logout_redirect_uri" in parameters ? { client_id: world.first.clientId, ...parameters } : parameters;
    const page = await send(browser, sent);
    expect([page.status, page.headers.get("location")]).toEqual([200, null]);
    const done = await browser.post("/oidc/logout", { form: formFields(await page.text()) });
    expect([done.status, done.headers.get("location")]).toEqual([200, null]);
    await expectSignedOut(browser);
  });
});

test("oidcc-rp-initiated-logout-no-post-logout-redirect-uri: signs the user out and shows a page", async () => {
  const { browser, hint } = await begin();
  const response = await send(browser, { id_token_hint: hint });
  expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  await expectSignedOut(browser);
});
