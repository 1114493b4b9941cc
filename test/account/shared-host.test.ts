import { beforeEach, describe, expect, test } from "vitest";
import { securityPath } from "../../packages/core/src/tenants/ticket-links.ts";
import { formFields, type Browser } from "../support/browser.ts";
import { login, openService, type App, type LoginService, type TestAccount } from "../support/flow.ts";
import { openLink, type LinkPage } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { listedFactors, openSecurity, submitSecurity } from "./support.ts";

/** The page of the account at a host that several tenants share. `main` serves requests that name no tenant. */

const phone = "+4915112345678";
const password = "correct horse battery";
const callback = "https://app.example.test/callback";

interface Tenant {
  readonly id: string;
  readonly app: App;
  readonly user: TestAccount;
}

let outbox: Outbox;
let service: LoginService;
let main: Tenant;
let other: Tenant;
let third: Tenant;

beforeEach(async () => {
  outbox = createOutbox();
  service = await openService({
    messages: { mail: outbox.mail, sms: outbox.sms },
    subdomainRouting: { baseDomain: "tenants.example.test", useOrganizations: false },
  });
  main = await openTenant("main");
  other = await openTenant("other");
  third = await openTenant("third");
});

async function openTenant(id: string): Promise<Tenant> {
  const clientId = `web-${id}`;
  const settings = { name: "Web", app_type: "spa", callbacks: [callback] } as const;
  await service.postern.seed({ tenantId: id, clients: [{ clientId, settings }] });
  const { guardian, users } = service.postern.tenant(id);
  await guardian.factors.replace("sms", { enabled: true });
  const email = `ada@${id}.example.test`;
  const { user_id: userId } = await users.create({
    connection: "Username-Password-Authentication",
    email,
    password,
    email_verified: true,
  });
  return { id, app: { clientId, redirectUri: callback }, user: { email, password, userId } };
}

const signIn = (browser: Browser, { app, user }: Tenant) => login(browser, app, user);

const factorRows = ({ id, user }: Tenant) =>
  service.data.collections.factors.find({ where: { tenant_id: id, user_id: user.userId, confirmed_at: { exists: true } }, limit: 100 });

/** Returns the name of the signed-in user on a page. */
const accountOn = ({ html }: LinkPage): string | undefined => /<bdi[^>]*>([^<]*@[^<]*)<\/bdi>/.exec(html)?.[1];

/** Adds a phone by the links and forms of the page, beginning with the overview. */
async function addPhone(browser: Browser, query: { readonly [name: string]: string } = {}): Promise<void> {
  const overview = await openSecurity(browser, query);
  expect(overview.status).toBe(200);
  const [, add = ""] = /href="([^"]*view=add[^"]*)"/.exec(overview.html) ?? [];
  const types = await openLink(browser, add.replaceAll("&amp;", "&"));
  const form = await submitSecurity(browser, types, { action: "choose-new-factor", factor: "phone" });
  const sent = await submitSecurity(browser, form, { action: "enter-phone", phone });
  const done = await submitSecurity(browser, sent, { action: "confirm-new-factor", code: codeOf(outbox.take(phone)) });
  await submitSecurity(browser, done, { action: "recovery-code-stored" });
}

describe("a user of the second tenant", () => {
  test.each([
    ["without parameters", () => ({})],
    ["with the client", () => ({ client_id: other.app.clientId })],
    ["with the tenant", () => ({ tenant: "other" })],
  ])("opens the page %s, and its links and forms stay in the tenant", async (_, query) => {
    const browser = service.browser();
    await signIn(browser, other);
    await addPhone(browser, query());
    expect((await factorRows(other)).map(({ type }) => type)).toContain("phone");
    const overview = await openSecurity(browser, query());
    expect(accountOn(overview)).toBe("ada@other.example.test");
    const [id = ""] = listedFactors(overview);
    const rename = await openSecurity(browser, { tenant: "other", view: "rename", id });
    const renamed = await submitSecurity(browser, rename, { action: "rename-factor", name: "Mine" });
    expect(renamed.location?.searchParams.get("tenant")).toBe("other");
    expect(renamed.html).toContain("The name was saved.");
  });

  test("sees that no user is signed in at another tenant that the URL names", async () => {
    const browser = service.browser();
    await signIn(browser, other);
    for (const query of [{ tenant: "main" }, { tenant: "third" }]) {
      const page = await openSecurity(browser, query);
      expect(page).toMatchObject({ status: 403, title: "Sign in first" });
      expect(accountOn(page)).toBeUndefined();
    }
    // The client belongs to the tenant, so the user can sign in there.
    const login = await browser.get(`${securityPath}?client_id=${main.app.clientId}`);
    expect(login.headers.get("location")).toContain("/u/login?state=main.");
    expect((await openSecurity(browser, { tenant: "no-such-tenant" })).status).toBe(404);
    expect((await openSecurity(browser, { tenant: "other", client_id: main.app.clientId })).status).toBe(400);
  });

  test("signs out of that tenant alone, on the page that asks for a new sign-in", async () => {
    const browser = service.browser();
    await signIn(browser, main);
    await signIn(browser, other);
    service.clock.advance("16m");
    const closed = await openSecurity(browser, { tenant: "other", view: "add" });
    const [, logout = ""] = /href="([^"]*\/oidc\/logout[^"]*)"/.exec(closed.html) ?? [];
    const question = await openLink(browser, logout.replaceAll("&amp;", "&"));
    expect(accountOn(question)).toBe("ada@other.example.test");
    await browser.post("/oidc/logout", { form: formFields(question.html) });
    expect((await openSecurity(browser, { tenant: "other" })).status).toBe(403);
    expect(accountOn(await openSecurity(browser, { tenant: "main" }))).toBe("ada@main.example.test");
  });
});

describe("a browser with sessions of several tenants", () => {
  let browser: Browser;
  beforeEach(async () => {
    browser = service.browser();
    await signIn(browser, main);
    await signIn(browser, other);
  });

  test("shows the tenant that the URL names, without a name the one that serves such requests", async () => {
    expect(accountOn(await openSecurity(browser))).toBe("ada@main.example.test");
    expect(accountOn(await openSecurity(browser, { client_id: main.app.clientId }))).toBe("ada@main.example.test");
    expect(accountOn(await openSecurity(browser, { client_id: other.app.clientId }))).toBe("ada@other.example.test");
    expect(accountOn(await openSecurity(browser, { tenant: "other" }))).toBe("ada@other.example.test");
  });

  test("without a session of that tenant, shows the one at which the user signed in last", async () => {
    const { cookies } = browser;
    service.clock.advance("1m");
    await signIn(browser, third);
    const kept = new Map([...cookies].filter(([name]) => !name.endsWith("_session_main")));
    expect(accountOn(await openSecurity(service.browser(kept)))).toBe("ada@third.example.test");
    await service.postern.tenant("third").users.sessions.deleteAll(third.user.userId);
    expect(accountOn(await openSecurity(service.browser(kept)))).toBe("ada@other.example.test");
  });

  test("ignores the session cookies of tenants that do not exist", async () => {
    const [name = ""] = [...browser.cookies.keys()].filter((cookie) => cookie.endsWith("_session_other"));
    const value = browser.cookies.get(name) ?? "";
    const stale = new Map(["gone", "Bad", "../main", "__proto__"].map((id) => [name.replace("other", id), value]));
    expect((await openSecurity(service.browser(stale))).status).toBe(403);
    expect(accountOn(await openSecurity(service.browser(new Map([...stale, [name, value]]))))).toBe("ada@other.example.test");
    // The cookie of one tenant is no session of another one.
    expect((await openSecurity(service.browser(new Map([[name.replace("other", "main"), value]])))).status).toBe(403);
  });

  test.each(["main", "other"])("a form of the tenant %s changes nothing in another one", async (shown) => {
    await addPhone(browser, { tenant: "other" });
    await addPhone(browser, { tenant: "main" });
    const [id = ""] = listedFactors(await openSecurity(browser, { tenant: shown }));
    const elsewhere = shown === "main" ? "other" : "main";
    const [foreignId = ""] = listedFactors(await openSecurity(browser, { tenant: elsewhere }));
    const form = formFields((await openSecurity(browser, { tenant: shown, view: "remove", id })).html);
    const before = [await factorRows(main), await factorRows(other)];
    const post = async (fields: { readonly [name: string]: string }): Promise<URL> => {
      const response = await browser.post(securityPath, { form: { ...form, action: "remove-factor", ...fields } });
      return new URL(response.headers.get("location") ?? "");
    };
    const { searchParams } = await post({ tenant: elsewhere, id: foreignId });
    expect([searchParams.get("tenant"), searchParams.get("problem")]).toEqual([elsewhere, "conflict"]);
    expect((await post({ id: foreignId })).searchParams.get("tenant")).toBe(shown);
    expect([await factorRows(main), await factorRows(other)]).toEqual(before);
    await post({});
    expect([await factorRows(main), await factorRows(other)]).not.toEqual(before);
  });

  test("a form without a tenant belongs to the tenant that serves such requests, and has no effect in another one", async () => {
    await addPhone(browser, { tenant: "other" });
    const [id = ""] = listedFactors(await openSecurity(browser, { tenant: "other" }));
    const { tenant: _, ...form } = formFields((await openSecurity(browser, { tenant: "other", view: "remove", id })).html);
    const before = await factorRows(other);
    await browser.post(securityPath, { form: { ...form, action: "remove-factor" } });
    expect(await factorRows(other)).toEqual(before);
  });
});

test("at a host of one tenant, URLs contain no tenant, and clients of other tenants are rejected", async () => {
  const browser = service.browser();
  await signIn(browser, main);
  await signIn(browser, other);
  const foreign = await browser.get(`https://other.tenants.example.test${securityPath}?client_id=${main.app.clientId}`);
  expect(foreign.status).toBe(400);
  for (const query of ["", "?tenant=main", `?client_id=${other.app.clientId}`]) {
    const page = await openLink(browser, `https://other.tenants.example.test${securityPath}${query}`);
    expect(accountOn(page)).toBe("ada@other.example.test");
    expect(page.html.includes("tenant=")).toBe(false);
    expect(formFields(page.html)).not.toHaveProperty("tenant");
  }
});
