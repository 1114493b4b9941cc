import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody, stringMember } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { loginState, redirectOf, screenName, sendAuthorization, submitStep, successParameters } from "../support/flow.ts";
import { openLink, submitLinkForm } from "../support/links.ts";
import {
  enrollApp,
  exchangeLoginCode,
  openFactorService,
  screenOf,
  setPolicies,
  signInToFactor,
  totpAt,
  type FactorService,
} from "../factors/support.ts";
import { openMfaService, otpGrant } from "../factors/mfa-api-support.ts";
import { addPhone, openSecurity, submitSecurity, undoLinkOf } from "./support.ts";

/** The link with which users report a change of factors that they did not make. */

const phone = "+4915112345678";
const undoPath = "/u/undo-factor-change";

let service: FactorService;
let browser: Browser;
let secret: string;
let code: string;
let link: string;

beforeEach(async () => {
  service = await openFactorService();
  browser = service.browser();
  ({ secret, code } = await enrollApp(service, browser));
  link = undoLinkOf(service);
  service.clock.advance("31s");
});

const codeNow = (): string => totpAt(secret, service.clock.now());
const ownedByAda = () => ({ tenant_id: "main", user_id: service.ada.userId });
const ada = async () => (await service.data.collections.users.find({ where: ownedByAda(), limit: 1 }))[0];
const factors = () => service.data.collections.factors.find({ where: ownedByAda(), limit: 100 });

/** Opens the link in another browser and confirms. */
async function undo(): Promise<{ readonly title: string; readonly status: number }> {
  const other = service.browser();
  const page = await openLink(other, link);
  expect(page).toMatchObject({ status: 200, title: "Protect your account?", actions: ["protect"] });
  return submitLinkForm(other, page, {});
}

describe("the link in a mail about a change", () => {
  test("ends sessions and refresh tokens, forgets browsers, and freezes changes; it changes no factor and starts no session", async () => {
    const tokens = await exchangeLoginCode(service, code);
    const now = service.clock.now();
    const times = { created_at: now, last_used_at: now, expires_at: now + 1e9 };
    await service.data.collections.trusted_browsers.insert([{ ...ownedByAda(), browser_hash: "h", ...times }]);
    const before = await factors();
    const other = service.browser();
    const page = await openLink(other, link);
    // A scanner that opens the link changes nothing.
    expect((await openSecurity(browser)).status).toBe(200);
    expect((await ada())?.["factors_frozen_until"]).toBeNull();
    expect(page.html).toMatch(/change to your <bdi class="name">[^<]*<\/bdi> account/);
    // The new authenticator app can belong to an attacker.
    const done = await submitLinkForm(other, page, {});
    expect(done).toMatchObject({ status: 200, title: "Check your sign\u2011in methods" });
    expect(done.html).toContain("a method that was added or replaced recently still works");
    expect(done.html).not.toMatch(/protected/);
    expect([...other.cookies.keys()]).toEqual([]);
    expect((await openSecurity(browser)).status).toBe(403);
    expect(await factors()).toEqual(before);
    expect(await service.data.collections.trusted_browsers.count(ownedByAda())).toBe(0);
    expect(await service.data.collections.sessions.count({ ...ownedByAda(), revoked_at: null })).toBe(0);
    expect(await service.data.collections.refresh_tokens.count({ ...ownedByAda(), revoked_at: null })).toBe(0);
    expect((await service.userinfo(stringMember(tokens, "access_token"))).status).toBe(401);
    expect((await auditEvents(service.manage, "w")).map((event) => event["description"]).join()).toContain("reported a change");
  });

  test("says that the account is protected only if no factor was added or replaced recently", async () => {
    service.clock.advance("3d");
    browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "enter-factor-code", code: codeNow() });
    await submitSecurity(browser, await openSecurity(browser, { view: "recovery-code" }), { action: "create-recovery-code" });
    link = undoLinkOf(service);
    expect((await undo()).title).toBe("Check your sign\u2011in methods");

    service.clock.advance("25h");
    browser = service.browser();
    const { state: second } = await signInToFactor(service, browser);
    await submitStep(browser, second, { action: "enter-factor-code", code: codeNow() });
    await setPolicies(service, []);
    service.clock.advance("10s");
    const id = String((await factors()).find(({ type }) => type === "totp")?.["id"]);
    await submitSecurity(browser, await openSecurity(browser, { view: "remove", id }), { action: "remove-factor" });
    link = undoLinkOf(service);
    expect((await undo()).title).toBe("Your account is protected");
  });

  test("works once, for seven days, and not from another origin", async () => {
    const other = service.browser();
    const [, ticket = ""] = link.split("ticket=");
    const form = { ticket, action: "protect" };
    expect((await other.post(undoPath, { form, headers: { origin: "https://evil.example.test" } })).status).toBe(403);
    expect((await ada())?.["factors_frozen_until"]).toBeNull();
    await Promise.all(Array.from({ length: 8 }, () => other.post(undoPath, { form })));
    const until = (await ada())?.["factors_frozen_until"];
    expect((await auditEvents(service.manage, "w")).filter((event) => String(event["description"]).includes("reported"))).toHaveLength(1);
    service.clock.advance("2h");
    expect(await openLink(other, link)).toMatchObject({ status: 400, title: "This link was already used", actions: [] });
    await other.post(undoPath, { form });
    expect((await ada())?.["factors_frozen_until"]).toBe(until);
  });

  test("expires after seven days", async () => {
    service.clock.advance("6d");
    expect((await openLink(browser, link)).status).toBe(200);
    service.clock.advance("25h");
    expect(await openLink(browser, link)).toMatchObject({ status: 400, title: "This link has expired", actions: [] });
    await browser.post(undoPath, { form: { ticket: link.split("ticket=")[1] ?? "" } });
    expect((await ada())?.["factors_frozen_until"]).toBeNull();
  });

  test("still works after the email address changed, and shows the former one only", async () => {
    await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { email: "thief@example.test", email_verified: true });
    const page = await openLink(service.browser(), link);
    expect(page.html).toContain("a•••@example.test");
    expect(page.html).not.toMatch(/t•••|thief@example.test/);
    // A link for a new password would go to the new address.
    const done = await undo();
    expect(done.title).toBe("All sessions were ended");
    expect((await ada())?.["password_frozen_until"]).toBe((await ada())?.["factors_frozen_until"]);
  });

  test("withdraws a request to delete the account", async () => {
    const at = service.clock.now() + 86_400_000;
    await service.data.collections.users.update(ownedByAda(), { set: { deletes_at: at, deletion_step_at: at }, add: { revision: 1 } });
    expect((await openLink(service.browser(), link)).html).toContain("The account won’t be deleted.");
    await undo();
    expect(await ada()).toMatchObject({ deletes_at: null, deletion_step_at: null });
    expect(await auditEvents(service.manage, "my_account_deletion_withdrawn")).toMatchObject([{ user_id: service.ada.userId }]);
    service.clock.advance("20d");
    await service.postern.jobs.sweep();
    expect(await ada()).toBeDefined();
  });

  test("of a deleted user is unknown", async () => {
    await service.manage("DELETE", `/api/v2/users/${service.ada.userId}`);
    const other = service.browser();
    expect((await openLink(other, link)).status).toBe(400);
    expect((await other.post(undoPath, { form: { ticket: link.split("ticket=")[1] ?? "" } })).status).toBe(303);
  });
});

describe("while the factors are frozen", () => {
  test("the user signs in with the existing factors but changes none, for 24 hours", async () => {
    await undo();
    const { state } = await signInToFactor(service, browser);
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow() })));
    const overview = await openSecurity(browser);
    expect(overview.html).toContain("You told us that you didn’t make a change");
    expect(overview.html).not.toMatch(/view=(?:remove|rename|add|recovery-code)/);
    const before = await factors();
    const id = String(before.find(({ type }) => type === "totp")?.["id"]);
    expect(await openSecurity(browser, { view: "add" })).toMatchObject({ title: "Changes are paused", actions: [] });
    // `forget-browsers` is the only form that is left; its token is used for the changes.
    const forms = await openSecurity(browser, {});
    const html = forms.html.includes("<form") ? forms.html : "";
    for (const action of ["remove-factor", "rename-factor", "create-recovery-code", "choose-new-factor", "enter-phone"])
      if (html !== "") await submitSecurity(browser, { ...forms, html }, { action, view: "remove", id, name: "x", phone, factor: "totp" });
    expect(await factors()).toEqual(before);
    service.clock.advance("24h");
    expect((await openSecurity(browser, { view: "add" })).title).not.toBe("Changes are paused");
  });

  test("a form that was opened before changes nothing", async () => {
    await addPhone(service, browser, phone);
    const id = String((await factors()).find(({ type }) => type === "phone")?.["id"]);
    const remove = await openSecurity(browser, { view: "remove", id });
    await undo();
    const before = await factors();
    await submitSecurity(browser, remove, { action: "remove-factor" });
    expect(await factors()).toEqual(before);
  });

  test("a user who must add a factor cannot sign in, and the page says why", async () => {
    await service.manage("DELETE", `/api/v2/users/${service.ada.userId}/authenticators`);
    const fresh = service.browser();
    const { state } = await signInToFactor(service, fresh);
    const shown = screenOf(await submitStep(fresh, state, { action: "choose-new-factor", factor: "totp" }));
    const key = String(Object(shown["totp"])["secret"]);
    await undo();
    const refused = await submitStep(fresh, state, { action: "confirm-new-factor", code: totpAt(key, service.clock.now()) });
    expect(screenOf(refused)).toMatchObject({ name: "add-factor", frozen: true, options: [] });
    expect((await factors()).filter(({ confirmed_at: at }) => at !== null)).toEqual([]);
    const again = service.browser();
    const { reply } = await signInToFactor(service, again);
    expect(screenOf(reply)).toMatchObject({ name: "add-factor", frozen: true });
    await setPolicies(service, []);
    const free = service.browser();
    const freeState = loginState(await sendAuthorization(free, service.web));
    await submitStep(free, freeState, { action: "continue", identifier: service.ada.email });
    successParameters(redirectOf(await submitStep(free, freeState, { action: "sign-in", password: service.ada.password })));
    expect(screenName(reply)).toBe("add-factor");
  });

  test("the MFA API adds no factor", async () => {
    const mfa = await openMfaService();
    const token = stringMember(await mfa.begin(), "mfa_token");
    const added = jsonBody(await mfa.associate(token, { authenticator_types: ["otp"] }));
    const until = mfa.clock.now() + 3_600_000;
    const where = { tenant_id: "main", user_id: mfa.ada.userId };
    await mfa.data.collections.users.update(where, { set: { factors_frozen_until: until }, add: { revision: 1 } });
    const otp = mfa.codeNow(stringMember(added, "secret"));
    expectError(await mfa.grant(otpGrant, { mfa_token: token, otp }), 403, "invalid_grant");
    const fresh = stringMember(await mfa.begin(), "mfa_token");
    expectError(await mfa.associate(fresh, { authenticator_types: ["otp"] }), 400, "access_denied", "paused");
    expect(await mfa.data.collections.factors.count({ ...where, confirmed_at: { exists: true } })).toBe(0);
  });

  test("an earlier enrollment ticket ends, and a later one adds no factor until the freeze ends", async () => {
    await service.manage("DELETE", `/api/v2/users/${service.ada.userId}/authenticators`);
    const createLink = async (): Promise<string> => {
      const created = await service.manage("POST", "/api/v2/guardian/enrollments/ticket", { user_id: service.ada.userId });
      return stringMember(jsonBody(created), "ticket_url");
    };
    const earlier = await createLink();
    const other = service.browser();
    const page = await openLink(other, earlier);
    expect(page.html).toContain('value="totp"');
    await undo();
    expect((await openLink(other, earlier)).title).toBe("This link is no longer valid");
    const later = await createLink();
    expect(await openLink(other, later)).toMatchObject({ status: 400, title: "We can’t continue", actions: [] });
    const ticket = new URL(later).searchParams.get("ticket") ?? "";
    const form = { ...formFields(page.html), ticket, action: "choose-new-factor", factor: "totp" };
    expect((await other.post(formAction(page.html) ?? "", { form })).status).toBe(400);
    expect(await factors()).toEqual([]);
    service.clock.advance("24h");
    expect((await openLink(other, later)).html).toContain('value="totp"');
  });

  test("an administrator can still add and remove factors", async () => {
    await undo();
    const path = `/api/v2/users/${service.ada.userId}/authentication-methods`;
    expect((await service.manage("POST", path, { type: "phone", name: "Work", phone_number: phone })).status).toBe(201);
    expect((await service.manage("POST", `/api/v2/users/${service.ada.userId}/recovery-code-regeneration`)).status).toBe(200);
    expect((await service.manage("DELETE", path)).status).toBe(204);
    expect(await factors()).toEqual([]);
  });
});
