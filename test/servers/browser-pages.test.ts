import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf, stringMember, type JsonBody } from "../support/api.ts";
import { organizationsBy } from "../support/organizations.ts";
import { configure, createOpenIdApp } from "./support/openid-app.ts";
import { password } from "./support/fixtures.ts";
import { clickAction, enterPassword, enterIdentifier, signInOn } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const ann = "ann@example.com";

/** The settings of the app's clients, by their ids. */
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
/** Errors of the browser's console, and hosted pages with wrong security headers. */
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

async function createUser(email: string): Promise<string> {
  const manage = await managerOf(postern.service);
  return stringMember(
    await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email, password, email_verified: true }),
    "user_id",
  );
}

/** Checks that a hosted page has a strict content security policy, cannot be framed and is not cached. */
async function checkHeaders(response: Response): Promise<void> {
  const headers = await response.allHeaders();
  if (!response.url().startsWith(postern.issuer) || !(headers["content-type"] ?? "").startsWith("text/html")) return;
  const policy = headers["content-security-policy"] ?? "";
  const isStrict =
    policy.startsWith("default-src 'none'; style-src 'nonce-") &&
    policy.includes("frame-ancestors 'none'") &&
    policy.includes("base-uri 'none'") &&
    !policy.includes("unsafe") &&
    headers["x-frame-options"] === "DENY" &&
    headers["cache-control"] === "no-store" &&
    headers["x-content-type-options"] === "nosniff" &&
    headers["referrer-policy"] === "same-origin" &&
    (headers["strict-transport-security"] ?? "").startsWith("max-age=");
  if (!isStrict) faults.push(`${response.url()}: ${JSON.stringify(headers)}`);
}

/** Waits until the browser is back at the app. @returns the app's JSON. */
async function appResponse(): Promise<unknown> {
  await page.waitForURL(`${server.origin}/**`);
  return JSON.parse((await page.textContent("body")) ?? "");
}

const signedInAs = (email: string): object => ({ path: "/callback", email });
const begin = (query = ""): Promise<unknown> => page.goto(`${server.origin}/login?${query}`);
const heading = async (): Promise<string> => (await page.textContent("h1")) ?? "";

describe.each([true, false])("hosted pages in a browser with JavaScript: %s", (javaScriptEnabled) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
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

  test("show a wrong password beside the field, and accept a corrected identifier and password", async () => {
    await begin();
    expect(await page.title()).toBe(`Sign in · ${new URL(postern.issuer).host}`);
    expect(await page.getAttribute("#identifier", "autocomplete")).toBe("username");
    await enterIdentifier(page);
    expect(await page.getAttribute("#password", "autocomplete")).toBe("current-password");
    await enterPassword(page, "wrong");
    expect(await page.title()).toBe(`Problem: Enter your password · ${new URL(postern.issuer).host}`);
    expect(await page.textContent("#problem")).toContain("Wrong email or password");
    expect(await page.textContent("#account")).toBe(ann);
    await clickAction(page, "change-identifier");
    await signInOn(page);
    expect(await appResponse()).toEqual(signedInAs(ann));
  });

  testOnce("ask the user to wait after three wrong passwords", async () => {
    const email = `hasty-${javaScriptEnabled}@example.com`;
    await createUser(email);
    await begin();
    await enterIdentifier(page, email);
    for (let time = 0; time < 3; time++) await enterPassword(page, "wrong");
    await enterPassword(page);
    expect(await page.textContent("#problem")).toContain("Too many attempts");
  });

  testOnce("require consent for a third-party app, and let the user refuse", async () => {
    const email = `asked-${javaScriptEnabled}@example.com`;
    await createUser(email);
    await start("partner");
    await begin();
    await enterIdentifier(page, email);
    await enterPassword(page);
    expect(await heading()).toBe("Allow Partner to use your account?");
    await clickAction(page, "deny");
    expect(await appResponse()).toEqual({ path: "/callback", error: "access_denied" });
    await begin();
    expect(await heading()).toBe("Allow Partner to use your account?");
    await clickAction(page, "accept");
    expect(await appResponse()).toEqual(signedInAs(email));
    await begin();
    expect(await appResponse(), "the consent was stored").toEqual(signedInAs(email));
  });

  testOnce("let the user continue with the signed-in account or another one", async () => {
    const email = `other-${javaScriptEnabled}@example.com`;
    await createUser(email);
    await begin();
    await signInOn(page);
    await appResponse();
    await begin("prompt=select_account");
    expect(await heading()).toBe("Choose an account");
    await clickAction(page, "continue-as");
    expect(await appResponse()).toEqual(signedInAs(ann));
    await begin("prompt=select_account");
    await clickAction(page, "other-account");
    await enterIdentifier(page, email);
    await enterPassword(page);
    expect(await appResponse()).toEqual(signedInAs(email));
  });

  test("let the user choose an organization", async () => {
    const email = `member-${javaScriptEnabled}@example.com`;
    const userId = await createUser(email);
    const organizations = organizationsBy(await managerOf(postern.service));
    for (const name of ["north", "south"]) {
      const id = await organizations.create(`${name}-${javaScriptEnabled}`, { display_name: `${name} team` });
      await organizations.addMembers(id, { email, password, userId });
    }
    await start("team");
    await begin();
    await enterIdentifier(page, email);
    await enterPassword(page);
    expect(await heading()).toBe("Choose an organization");
    await page.getByRole("button", { name: "south team" }).click();
    expect(await appResponse()).toEqual(signedInAs(email));
  });

  describe("an invitation", () => {
    let invited: string;
    let link: string;
    let back: string;

    beforeEach(async () => {
      invited = `invited-${javaScriptEnabled}-${Math.random().toString(36).slice(2)}@example.com`;
      const manage = await managerOf(postern.service);
      const name = invited.split("@", 1)[0] ?? "";
      const id = await organizationsBy(manage).create(name, { display_name: "Crew" });
      const invitation: JsonBody = await manage.create(`/api/v2/organizations/${id}/invitations`, {
        inviter: { name: "Ann" },
        invitee: { email: invited },
        client_id: "team",
        send_invitation_email: false,
      });
      link = stringMember(invitation, "invitation_url");
      back = `${server.origin}/`;
    });

    test("lets a new user choose a password", async () => {
      await page.goto(link);
      expect(await heading()).toBe("Create your account");
      expect(await page.textContent("#account")).toBe(invited);
      // Without the page's script, the browser itself rejects a password that is too short.
      if (javaScriptEnabled) {
        await page.fill("#password", "short");
        await clickAction(page, "create-account");
        expect(await page.textContent("#problem")).toContain("too easy to guess");
      }
      await page.fill("#password", "correct horse battery");
      await clickAction(page, "create-account");
      await page.waitForURL(back);
    });

    testOnce("fills in the identifier of an invited user who has an account", async () => {
      await createUser(invited);
      await page.goto(link);
      expect(await page.inputValue("#identifier")).toBe(invited);
      await clickAction(page, "continue");
      await enterPassword(page);
      await clickAction(page, "accept-invitation");
      await page.waitForURL(back);
    });

    testOnce("asks an invited user with a session to confirm", async () => {
      await createUser(invited);
      await begin();
      await enterIdentifier(page, invited);
      await enterPassword(page);
      await appResponse();
      await page.goto(link);
      expect(await heading()).toBe("Join Crew?");
      await clickAction(page, "accept-invitation");
      await page.waitForURL(back);
    });

    testOnce("sends a user with another account to sign in as the invited user", async () => {
      await createUser(invited);
      await begin();
      await signInOn(page);
      await appResponse();
      await page.goto(link);
      expect(await page.textContent(".notice")).toContain(`This invitation is for ${invited}`);
      expect(await page.locator("button[value=accept-invitation]").count()).toBe(0);
      await clickAction(page, "other-account");
      expect(await page.inputValue("#identifier")).toBe(invited);
      await clickAction(page, "continue");
      await enterPassword(page);
      await clickAction(page, "accept-invitation");
      await page.waitForURL(back);
    });
  });

  test("ask for confirmation before they sign the user out", async () => {
    await begin();
    await signInOn(page);
    await appResponse();
    await page.goto(`${postern.issuer}oidc/logout?ui_locales=de`);
    expect(await heading()).toBe("Abmelden?");
    await clickAction(page, "logout");
    expect(await heading()).toBe("Sie sind abgemeldet");
    await begin("prompt=none");
    expect(await appResponse()).toEqual({ path: "/callback", error: "login_required" });
  });

  testOnce("show an error with its details for support if a redirect would be unsafe", async () => {
    const broken = [
      [400, "client_id=unknown&response_type=code"],
      [400, `client_id=web&response_type=code&redirect_uri=${encodeURIComponent("https://evil.test/")}`],
    ] as const;
    for (const [status, query] of broken) {
      const response = await page.goto(`${postern.issuer}authorize?${query}`);
      expect([response?.status(), await heading()]).toEqual([status, "We can’t continue"]);
      expect(page.url().startsWith(postern.issuer)).toBe(true);
      for (const id of ["error-code", "error-description", "request-id"]) expect(await page.textContent(`#${id}`)).toMatch(/\w/);
    }
  });

  testOnce("reject a sign-in that started in another browser", async () => {
    await begin();
    const other = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "de-CH" });
    const otherPage = await other.newPage();
    await otherPage.goto(page.url());
    expect(await otherPage.textContent("h1")).toBe("Diese Seite ist abgelaufen");
    await other.close();
  });

  testOnce("the pages use the browser's language, or the language of the app's request", async () => {
    const german = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "de-AT" });
    const other = await german.newPage();
    await other.goto(`${server.origin}/login`);
    expect([await other.textContent("h1"), await other.getAttribute("html", "lang")]).toEqual(["Anmelden", "de"]);
    await other.goto(`${server.origin}/login?ui_locales=sw-KE%20en-GB`);
    expect([await other.textContent("h1"), await other.getAttribute("html", "lang")]).toEqual(["Sign in", "en"]);
    await german.close();
  });
});
