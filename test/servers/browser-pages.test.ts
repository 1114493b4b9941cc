import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf, text, type Json } from "../support/api.ts";
import { organizationsBy } from "../support/organizations.ts";
import { configure, createOpenIdApp } from "./support/openid-app.ts";
import { password } from "./support/people.ts";
import { act, givePassword, sayWho, signInOn } from "./support/person.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const ann = "ann@example.com";

/** The apps that people come from, by their ids. */
const apps = {
  web: {},
  partner: { name: "Partner", is_first_party: false },
  team: { organization_usage: "require", organization_require_behavior: "post_login_prompt" },
} as const;

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let postern: SecurePostern;
let context: BrowserContext;
let page: Page;
/** What the browser refused to do, and pages of ours that did not keep to their headers. */
let faults: string[];

beforeAll(async () => {
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const { origin } = server;
  const common = { app_type: "regular_web", callbacks: [`${origin}/callback`], allowed_logout_urls: [`${origin}/bye`] } as const;
  postern = await serveSecurely({
    tenantId: "main",
    clients: Object.entries(apps).map(([clientId, more]) => ({
      clientId,
      secret: clientSecret,
      settings: {
        name: clientId,
        ...common,
        callbacks: [...common.callbacks],
        allowed_logout_urls: [...common.allowed_logout_urls],
        ...more,
      },
    })),
    user: { email: ann, password },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await server.close();
});

/** Starts the app of a client. */
async function start(clientId: keyof typeof apps): Promise<void> {
  serveApp = createOpenIdApp(await configure(postern, clientId, clientSecret), server.origin).serve;
}

async function enroll(email: string): Promise<string> {
  const manage = await managerOf(postern.service);
  return text(
    await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email, password, email_verified: true }),
    "user_id",
  );
}

/** Every page of ours names what it may load and who may frame it, and nobody keeps it. */
async function checkHeaders(response: Response): Promise<void> {
  const headers = await response.allHeaders();
  if (!response.url().startsWith(postern.issuer) || !(headers["content-type"] ?? "").startsWith("text/html")) return;
  const policy = headers["content-security-policy"] ?? "";
  const kept =
    policy.startsWith("default-src 'none'; style-src 'nonce-") &&
    policy.includes("frame-ancestors 'none'") &&
    policy.includes("base-uri 'none'") &&
    !policy.includes("unsafe") &&
    headers["x-frame-options"] === "DENY" &&
    headers["cache-control"] === "no-store" &&
    headers["x-content-type-options"] === "nosniff" &&
    headers["referrer-policy"] === "same-origin" &&
    (headers["strict-transport-security"] ?? "").startsWith("max-age=");
  if (!kept) faults.push(`${response.url()}: ${JSON.stringify(headers)}`);
}

/** What the app answers, where the browser is back there. */
async function answered(): Promise<unknown> {
  await page.waitForURL(`${server.origin}/**`);
  return JSON.parse((await page.textContent("body")) ?? "");
}

const arrived = (email: string): object => ({ path: "/callback", email });
const begin = (query = ""): Promise<unknown> => page.goto(`${server.origin}/login?${query}`);
const heading = async (): Promise<string> => (await page.textContent("h1")) ?? "";

describe.each([true, false])("a person with JavaScript: %s", (javaScriptEnabled) => {
  beforeEach(async () => {
    faults = [];
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US" });
    page = await context.newPage();
    page.on(
      "console",
      (message) => void (message.type() === "error" && !/status of 4\d\d/.test(message.text()) && faults.push(message.text())),
    );
    page.on("response", (response) => void checkHeaders(response));
    await start("web");
  });
  afterEach(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });

  test("is told of a wrong password beside the field, and can mend both", async () => {
    await begin();
    expect(await page.title()).toBe(`Sign in · ${new URL(postern.issuer).host}`);
    expect(await page.getAttribute("#identifier", "autocomplete")).toBe("username");
    await sayWho(page);
    expect(await page.getAttribute("#password", "autocomplete")).toBe("current-password");
    await givePassword(page, "wrong");
    expect(await page.title()).toBe(`Problem: Enter your password · ${new URL(postern.issuer).host}`);
    expect(await page.textContent("#problem")).toContain("Wrong email or password");
    expect(await page.textContent("#account")).toBe(ann);
    await act(page, "change-identifier");
    await signInOn(page);
    expect(await answered()).toEqual(arrived(ann));
  });

  test("is told to wait after three wrong passwords", async () => {
    const email = `hasty-${javaScriptEnabled}@example.com`;
    await enroll(email);
    await begin();
    await sayWho(page, email);
    for (let time = 0; time < 3; time++) await givePassword(page, "wrong");
    await givePassword(page);
    expect(await page.textContent("#problem")).toContain("Too many attempts");
  });

  test("is asked before another company's app learns anything, and may say no", async () => {
    const email = `asked-${javaScriptEnabled}@example.com`;
    await enroll(email);
    await start("partner");
    await begin();
    await sayWho(page, email);
    await givePassword(page);
    expect(await heading()).toBe("Allow Partner to use your account?");
    await act(page, "deny");
    expect(await answered()).toEqual({ path: "/callback", error: "access_denied" });
    await begin();
    expect(await heading()).toBe("Allow Partner to use your account?");
    await act(page, "accept");
    expect(await answered()).toEqual(arrived(email));
    await begin();
    expect(await answered(), "it was remembered").toEqual(arrived(email));
  });

  test("chooses the account, or another one", async () => {
    const email = `other-${javaScriptEnabled}@example.com`;
    await enroll(email);
    await begin();
    await signInOn(page);
    await answered();
    await begin("prompt=select_account");
    expect(await heading()).toBe("Choose an account");
    await act(page, "continue-as");
    expect(await answered()).toEqual(arrived(ann));
    await begin("prompt=select_account");
    await act(page, "other-account");
    await sayWho(page, email);
    await givePassword(page);
    expect(await answered()).toEqual(arrived(email));
  });

  test("chooses the organization", async () => {
    const email = `member-${javaScriptEnabled}@example.com`;
    const userId = await enroll(email);
    const organizations = organizationsBy(await managerOf(postern.service));
    for (const name of ["north", "south"]) {
      const id = await organizations.create(`${name}-${javaScriptEnabled}`, { display_name: `${name} team` });
      await organizations.addMembers(id, { email, password, userId });
    }
    await start("team");
    await begin();
    await sayWho(page, email);
    await givePassword(page);
    expect(await heading()).toBe("Choose an organization");
    await page.getByRole("button", { name: "south team" }).click();
    expect(await answered()).toEqual(arrived(email));
  });

  describe("follows an invitation", () => {
    let invited: string;
    let link: string;
    let back: string;

    beforeEach(async () => {
      invited = `invited-${javaScriptEnabled}-${Math.random().toString(36).slice(2)}@example.com`;
      const manage = await managerOf(postern.service);
      const name = invited.split("@", 1)[0] ?? "";
      const id = await organizationsBy(manage).create(name, { display_name: "Crew" });
      const invitation: Json = await manage.create(`/api/v2/organizations/${id}/invitations`, {
        inviter: { name: "Ann" },
        invitee: { email: invited },
        client_id: "team",
        send_invitation_email: false,
      });
      link = text(invitation, "invitation_url");
      back = `${server.origin}/`;
    });

    test("as somebody new, who chooses a password", async () => {
      await page.goto(link);
      expect(await heading()).toBe("Create your account");
      expect(await page.textContent("#account")).toBe(invited);
      // Without the page's script the browser itself holds back what is too short.
      if (javaScriptEnabled) {
        await page.fill("#password", "short");
        await act(page, "create-account");
        expect(await page.textContent("#problem")).toContain("too easy to guess");
      }
      await page.fill("#password", "correct horse battery");
      await act(page, "create-account");
      await page.waitForURL(back);
    });

    test("as who is invited, and finds the address filled in", async () => {
      await enroll(invited);
      await page.goto(link);
      expect(await page.inputValue("#identifier")).toBe(invited);
      await act(page, "continue");
      await givePassword(page);
      await act(page, "accept-invitation");
      await page.waitForURL(back);
    });

    test("as who is signed in already, and is asked first", async () => {
      await enroll(invited);
      await begin();
      await sayWho(page, invited);
      await givePassword(page);
      await answered();
      await page.goto(link);
      expect(await heading()).toBe("Join Crew?");
      await act(page, "accept-invitation");
      await page.waitForURL(back);
    });

    test("as somebody else, and is sent to sign in as who is invited", async () => {
      await enroll(invited);
      await begin();
      await signInOn(page);
      await answered();
      await page.goto(link);
      expect(await page.textContent(".notice")).toContain(`This invitation is for ${invited}`);
      expect(await page.locator("button[value=accept-invitation]").count()).toBe(0);
      await act(page, "other-account");
      expect(await page.inputValue("#identifier")).toBe(invited);
      await act(page, "continue");
      await givePassword(page);
      await act(page, "accept-invitation");
      await page.waitForURL(back);
    });
  });

  test("signs out by a page that asks first", async () => {
    await begin();
    await signInOn(page);
    await answered();
    await page.goto(`${postern.issuer}oidc/logout?ui_locales=de`);
    expect(await heading()).toBe("Abmelden?");
    await act(page, "logout");
    expect(await heading()).toBe("Sie sind abgemeldet");
    await begin("prompt=none");
    expect(await answered()).toEqual({ path: "/callback", error: "login_required" });
  });

  test("sees an error where a redirect would be unsafe, with what support asks for", async () => {
    const broken = [
      [400, "client_id=nobody&response_type=code"],
      [400, `client_id=web&response_type=code&redirect_uri=${encodeURIComponent("https://evil.test/")}`],
    ] as const;
    for (const [status, query] of broken) {
      const response = await page.goto(`${postern.issuer}authorize?${query}`);
      expect([response?.status(), await heading()]).toEqual([status, "We can’t continue"]);
      expect(page.url().startsWith(postern.issuer)).toBe(true);
      for (const id of ["error-code", "error-description", "request-id"]) expect(await page.textContent(`#${id}`)).toMatch(/\w/);
    }
  });

  test("cannot go on with a sign-in that began in another browser", async () => {
    await begin();
    const other = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "de-CH" });
    const elsewhere = await other.newPage();
    await elsewhere.goto(page.url());
    expect(await elsewhere.textContent("h1")).toBe("Diese Seite ist abgelaufen");
    await other.close();
  });

  test("is spoken to in the browser's language, and in the app's where that asks for one", async () => {
    const german = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "de-AT" });
    const other = await german.newPage();
    await other.goto(`${server.origin}/login`);
    expect([await other.textContent("h1"), await other.getAttribute("html", "lang")]).toEqual(["Anmelden", "de"]);
    await other.goto(`${server.origin}/login?ui_locales=sw-KE%20en-GB`);
    expect([await other.textContent("h1"), await other.getAttribute("html", "lang")]).toEqual(["Sign in", "en"]);
    await german.close();
  });
});
