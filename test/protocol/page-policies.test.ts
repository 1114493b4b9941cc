import { beforeAll, expect, test } from "vitest";
import { sampleTheme } from "../../packages/core/test/sample-theme.ts";
import { securityPath } from "../../packages/core/src/tenants/ticket-links.ts";
import { jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  authorizeParameters,
  login,
  loginState,
  openService,
  sendAuthorization,
  submit,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";

/**
 * The Content-Security-Policy of each kind of response with a page, for a tenant whose pages load as much as possible from
 * other origins. `createTestPostern` rejects every page that contains more than its policy allows, in all tests.
 */
let service: LoginService;
let team: App;
let partner: App;

const { themeId: _, ...theme } = sampleTheme;
/** The origins of the theme's logo, background and font, and of the tenant's dark logo and icon. */
const themes = "https://pictures.example.test";
const tenants = [themes, "https://night.example.test", "https://icons.example.test"];
const organizations = "https://organizations.example.test";
const clients = "https://clients.example.test";
const faces = "https://faces.example.test";

beforeAll(async () => {
  service = await openService();
  const { manage, ada, bob } = service;
  jsonBody(await manage("POST", "/api/v2/branding/themes", theme));
  jsonBody(await manage("PATCH", "/api/v2/branding", { logo_url_dark: `${tenants[1]}/logo.svg`, favicon_url: `${tenants[2]}/icon.svg` }));
  jsonBody(await manage("PATCH", `/api/v2/users/${encodeURIComponent(ada.userId)}`, { picture: `${faces}/ada.svg` }));
  for (const name of ["north", "south"]) {
    const branding = { logo_url: `${organizations}/${name}.svg` };
    await organizationsBy(manage).addMembers(await organizationsBy(manage).create(name, { branding }), bob);
  }
  team = await service.register({ organization_usage: "require", organization_require_behavior: "post_login_prompt" });
  partner = await service.register({ is_first_party: false, logo_uri: `${clients}/logo.svg` });
  service.clock.advance("6s");
});

/** Opens the page of a step after the given requests. */
type Open = (browser: Browser) => Promise<Response>;

const openLogin = async (browser: Browser, app: App, parameters = {}): Promise<string> =>
  loginState(await sendAuthorization(browser, app, parameters));
const currentPage = (browser: Browser, state: string): Promise<Response> => browser.get(`/u/login?${new URLSearchParams({ state })}`);
/** Signs in with the password, up to the page of the next step. */
const afterPassword =
  (app: () => App, account: () => LoginService["ada"]): Open =>
  async (browser) => {
    const state = await openLogin(browser, app());
    await submit(browser, state, { action: "continue", identifier: account().email });
    await submit(browser, state, { action: "sign-in", password: account().password });
    return currentPage(browser, state);
  };
const afterSignIn =
  (open: Open): Open =>
  async (browser) => {
    await login(browser, service.web, service.ada);
    return open(browser);
  };
const authorize =
  (app: () => App, parameters: { readonly [name: string]: string }): Open =>
  (browser) =>
    browser.get(`/authorize?${new URLSearchParams(authorizeParameters(app(), parameters))}`);

const pages: { readonly [name: string]: { readonly open: Open; readonly images: readonly string[]; readonly postsTo: string } } = {
  "card screen-identifier": {
    open: async (browser) => currentPage(browser, await openLogin(browser, service.web)),
    images: tenants,
    postsTo: "everywhere",
  },
  "card screen-select-account": {
    open: afterSignIn(async (browser) => currentPage(browser, await openLogin(browser, service.web, { prompt: "select_account" }))),
    images: [...tenants, faces],
    postsTo: "everywhere",
  },
  "card screen-select-organization": {
    open: afterPassword(
      () => team,
      () => service.bob,
    ),
    images: [...tenants, organizations],
    postsTo: "everywhere",
  },
  "card screen-consent": {
    open: afterPassword(
      () => partner,
      () => service.ada,
    ),
    images: [...tenants, clients],
    postsTo: "everywhere",
  },
  "card screen-error": { open: (browser) => browser.get("/u/login"), images: tenants, postsTo: "'self'" },
  "card screen-logged-out": { open: (browser) => browser.get("/oidc/logout"), images: tenants, postsTo: "'self'" },
  "card screen-confirm-logout": { open: afterSignIn((browser) => browser.get("/oidc/logout")), images: tenants, postsTo: "'self'" },
  "card screen-account-closed": { open: (browser) => browser.get(securityPath), images: tenants, postsTo: "'self'" },
  "card screen-account-security": { open: afterSignIn((browser) => browser.get(securityPath)), images: tenants, postsTo: "'self'" },
  "card screen-link-request": { open: (browser) => browser.get("/u/forgot-password"), images: tenants, postsTo: "'self'" },
  "card late": {
    open: authorize(() => service.web, { prompt: "none", response_mode: "form_post" }),
    images: tenants,
    postsTo: "everywhere",
  },
};

/** Returns the sources of a directive of the policy; undefined if the policy does not have the directive. */
function sourcesOf(response: Response, directive: string): readonly string[] | undefined {
  const found = (response.headers.get("content-security-policy") ?? "").split("; ").find((each) => each.startsWith(`${directive} `));
  return found?.split(" ").slice(1);
}

test.each(Object.entries(pages))(
  "the policy of the page %s names the origins of the branding and of its pictures",
  async (name, { open, images, postsTo }) => {
    const response = await open(service.browser());
    const html = await response.text();
    expect(html).toContain(`<main class="${name}">`);
    expect(sourcesOf(response, "img-src")?.toSorted()).toEqual(["data:", ...images].toSorted());
    expect(sourcesOf(response, "font-src")).toEqual([themes]);
    expect(sourcesOf(response, "form-action") ?? ["everywhere"]).toEqual([postsTo]);
  },
);

test("the policy of a web_message response allows its script, and its client to frame it", async () => {
  const response = await authorize(() => service.spa, { prompt: "none", response_mode: "web_message" })(service.browser());
  expect(sourcesOf(response, "frame-ancestors")).toEqual(["https://app.example.test"]);
  expect(await response.text()).toContain("postMessage");
});
