import { beforeAll, expect, test } from "vitest";
import { sendAuthorization, loginState, openService, submit, type LoginService } from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const attacks = [
  `"><script>alert(1)</script>`,
  `'><img src=x onerror=alert(1)>`,
  `</title></head><body><script>alert(1)</script>`,
  `" autofocus onfocus="alert(1)`,
  `javascript:alert(1)`,
  `{{constructor.constructor('alert(1)')()}}`,
  `<!--<script>`,
  `\u2028</script><script>alert(1)//`,
];

/** Expects that the page contains no tag or attribute of the attack. */
function expectInert(html: string): void {
  expect(html).not.toMatch(/<script>alert|<img src=x|" onfocus="alert|" autofocus onfocus|href="javascript:|<!--<script>/i);
}

function policyOf(response: Response): string {
  return response.headers.get("content-security-policy") ?? "";
}

/** The opening tags of all scripts of a page. */
function scriptsOf(html: string): readonly string[] {
  return html.match(/<script[^>]*>/g) ?? [];
}

/** The only script tag that the policy of a page allows. */
function ownScript(response: Response): string {
  const [, nonce = ""] = /script-src 'nonce-([A-Za-z0-9_-]{22})';/.exec(policyOf(response)) ?? [];
  return `<script nonce="${nonce}">`;
}

test.each(attacks)("escapes %j wherever a page shows it", async (attack) => {
  const browser = service.browser();
  const state = loginState(
    await sendAuthorization(browser, service.web, { login_hint: attack, ui_locales: attack, screen_hint: attack, state: attack }),
  );
  const page = await browser.get(`/u/login?${new URLSearchParams({ state })}`);
  const html = await page.text();
  expectInert(html);
  expect(policyOf(page)).toMatch(/^default-src 'none'; /);
  expect(policyOf(page)).not.toMatch(/unsafe/);
  expect(scriptsOf(html)).toEqual([ownScript(page)]);
  const second = await submit(browser, state, { action: "continue", identifier: attack });
  if (second.kind === "page") expectInert(second.html);

  for (const requested of [{ redirect_uri: attack }, { client_id: attack }]) {
    const rejected = await sendAuthorization(browser, service.web, requested);
    if (rejected.kind !== "page") throw new Error("the result must be a page");
    expectInert(rejected.html);
  }
  for (const query of [{ returnTo: attack }, { client_id: attack, returnTo: attack }]) {
    expectInert(await (await browser.get(`/v2/logout?${new URLSearchParams(query)}`)).text());
  }
});

test.each(attacks)("returns the state %j unchanged in a form_post or web_message response", async (state) => {
  for (const response_mode of ["form_post", "web_message"]) {
    const app = response_mode === "form_post" ? service.web : service.spa;
    const result = await sendAuthorization(service.browser(), app, { prompt: "none", response_mode, state });
    if (result.kind !== "response") throw new Error(`not an authorization response: ${result.kind}`);
    expect(result.parameters).toMatchObject({ state, error: "login_required" });
  }
});

test("branding that is not a color or a picture URL does not change a page's content security policy", async () => {
  const { collections } = service.data;
  const branding = {
    logo_url: `https://cdn.example.test/x.png"><script>alert(1)</script>`,
    colors: { primary: `red;}</style><script>alert(1)</script>`, page_background: `url(https://evil.test/)` },
  };
  await collections.tenants.update({ id: "main" }, { set: { branding } });
  service.clock.advance("6s");
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  const page = await browser.get(`/u/login?${new URLSearchParams({ state })}`);
  expectInert(await page.text());
  expect(policyOf(page)).not.toMatch(/evil\.test|[<>"]/);
});

test("forbids framing of every page, and allows only the page's own script", async () => {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submit(browser, state, { action: "continue", identifier: service.ada.email });
  const password = await browser.get(`/u/login?${new URLSearchParams({ state })}`);
  const identifier = await browser.get(
    `/u/login?${new URLSearchParams({ state: loginState(await sendAuthorization(browser, service.web)) })}`,
  );
  const others = ["/authorize?client_id=unknown", "/v2/logout", "/oidc/logout"];
  for (const page of [password, identifier, ...(await Promise.all(others.map((path) => browser.get(path))))]) {
    expect(scriptsOf(await page.clone().text())).toEqual(policyOf(page).includes("script-src") ? [ownScript(page)] : []);
    expect(policyOf(page)).toContain("frame-ancestors 'none'");
    expect(policyOf(page)).not.toMatch(/unsafe/);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("an echoed value cannot break response headers", async () => {
  const result = await sendAuthorization(service.browser(), service.web, { prompt: "none", state: "a\r\nSet-Cookie: x=1" });
  if (result.kind !== "response") throw new Error("not an authorization response");
  expect(result.parameters["state"]).toBe("a\r\nSet-Cookie: x=1");
});
