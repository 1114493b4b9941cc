import { beforeAll, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { sendAuthorization, login, loginState, openService, type App, type LoginService } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";

const cdn = "https://cdn.example.test";

let service: LoginService;
let app: App;
let acme: string;
let plain: string;

beforeAll(async () => {
  service = await openService();
  app = await service.register({ organization_usage: "allow" });
  const organizations = organizationsBy(service.manage);
  acme = await organizations.create("acme", {
    display_name: "Acme Inc.",
    branding: { logo_url: "https://acme.example.test/logo.svg", colors: { primary: "#b8410e", page_background: "#fff4ea" } },
  });
  plain = await organizations.create("plain", { display_name: "Plain Inc." });
});

async function brand(branding: object): Promise<void> {
  expect(await service.manage("PATCH", "/api/v2/branding", branding)).toMatchObject({ status: 200 });
  service.clock.advance("6s");
}

async function loginPage(requested = {}): Promise<{ readonly html: string; readonly policy: string }> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, requested));
  const page = await browser.get(`/u/login?${new URLSearchParams({ state })}`);
  return { html: await page.text(), policy: page.headers.get("content-security-policy") ?? "" };
}

const noBranding = { colors: null, logo_url: null, favicon_url: null };

test("shows the tenant's colors, gradient, logo and icon on its pages, and allows their origins in the content security policy", async () => {
  await brand({
    colors: { primary: "#0b6e4f", page_background: { type: "linear-gradient", start: "#ffd7b0", end: "#9db8e8", angle_deg: 35 } },
    logo_url: `${cdn}/logo.svg`,
    favicon_url: `${cdn}/icon.png`,
  });
  const { html, policy } = await loginPage();
  expect(html).toContain(`<img class="logo" src="${cdn}/logo.svg" alt`);
  expect(html).toContain(`<link rel="icon" href="${cdn}/icon.png" referrerpolicy="no-referrer"/>`);
  expect(html).toContain("--primary:#0b6e4f");
  expect(html).toContain("linear-gradient(35deg,#ffd7b0,#9db8e8)");
  expect(policy).toContain(`img-src data: ${cdn};`);
  await brand(noBranding);
  expect((await loginPage()).html).not.toContain(cdn);
});

test("prefers an organization's branding on its login page, and falls back to the tenant's", async () => {
  const own = await loginPage({ organization: acme });
  expect(own.html).toContain('<img class="logo" src="https://acme.example.test/logo.svg" alt');
  expect(own.html).toContain("--primary:#b8410e");
  expect(own.html).toContain("--page:#fff4ea");
  expect(own.policy).toContain("img-src data: https://acme.example.test;");
  expect((await loginPage()).html).not.toContain("acme");

  expect((await loginPage({ organization: plain })).html).toContain('<bdi class="brand-name clamped">Plain Inc.</bdi>');
  await brand({ logo_url: `${cdn}/logo.svg`, colors: { primary: "#0b6e4f" } });
  const inherited = await loginPage({ organization: plain });
  expect(inherited.html).toContain(`<img class="logo" src="${cdn}/logo.svg" alt`);
  expect(inherited.html).toContain("--primary:#0b6e4f");
  await brand(noBranding);
});

test("shows the tenant's dark logo on the tenant's pages, but not on those of an organization with a logo, which can have its own dark logo", async () => {
  await brand({ logo_url: `${cdn}/logo.svg`, logo_url_dark: "https://night.example.test/logo.svg" });
  const tenants = await loginPage();
  expect(tenants.html).toContain('<source srcset="https://night.example.test/logo.svg" media="(prefers-color-scheme:dark)"/>');
  expect(tenants.policy).toContain(`img-src data: ${cdn} https://night.example.test;`);
  expect((await loginPage({ organization: plain })).html).toContain("night.example.test");
  expect((await loginPage({ organization: acme })).html).not.toContain("night.example.test");
  const own = "https://acme.example.test/night.svg";
  const setOwn = async (logo_url_dark: string | null) =>
    jsonBody(await service.manage("PATCH", `/api/v2/organizations/${acme}`, { branding: { logo_url_dark } }));
  expect(await setOwn(own)).toMatchObject({ branding: { logo_url: "https://acme.example.test/logo.svg", logo_url_dark: own } });
  expect((await loginPage({ organization: acme })).html).toContain(`<source srcset="${own}" media="(prefers-color-scheme:dark)"/>`);
  await setOwn(null);
  expect((await loginPage({ organization: acme })).html).not.toContain(own);
  await brand({ ...noBranding, logo_url_dark: null });
});

test("shows the tenant's colors on a form_post response", async () => {
  await brand({ colors: { primary: "#0b6e4f" }, favicon_url: `${cdn}/icon.png` });
  const browser = service.browser();
  await login(browser, app, service.ada);
  const requested = { client_id: app.clientId, response_type: "code", response_mode: "form_post", prompt: "none" };
  const page = await browser.get(`/authorize?${new URLSearchParams(requested)}`);
  expect(await page.text()).toContain("--primary:#0b6e4f");
  expect(page.headers.get("content-security-policy")).toContain(`img-src data: ${cdn};`);
  await brand(noBranding);
});
