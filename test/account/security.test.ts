import { beforeEach, describe, expect, test } from "vitest";
import { securityPath } from "../../packages/core/src/tenants/ticket-links.ts";
import { auditEvents } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { sendAuthorization, signInAtLoginPage } from "../support/flow.ts";
import { codeOf, differentCode } from "../support/outbox.ts";
import { formFields } from "../support/browser.ts";
import { enrollApp, openFactorService, setPolicies, totpAt, type FactorService } from "../factors/support.ts";
import { addPhone, listedFactors, openSecurity, shownCode, submitSecurity } from "./support.ts";

/** The page on which users change their own second factors. */

const phone = "+4915112345678";

let service: FactorService;
let browser: Browser;
let secret: string;

beforeEach(async () => {
  service = await openFactorService();
  browser = service.browser();
  ({ secret } = await enrollApp(service, browser));
  await setPolicies(service, []);
  service.outbox.sent.length = 0;
  service.clock.advance("31s");
});

const codeNow = (): string => totpAt(secret, service.clock.now());

/** Signs in a user without factors. */
async function signInBob(): Promise<Browser> {
  const bobs = service.browser();
  await signInAtLoginPage(bobs, await sendAuthorization(bobs, service.web), service.bob);
  return bobs;
}

const ownedByAda = () => ({ tenant_id: "main", user_id: service.ada.userId });

const factorRows = (userId: string) =>
  service.data.collections.factors.find({ where: { tenant_id: "main", user_id: userId, confirmed_at: { exists: true } }, limit: 100 });

async function factorIdOf(userId: string, type: string): Promise<string> {
  return String((await factorRows(userId)).find((row) => row["type"] === type)?.["id"] ?? "");
}

describe("the overview", () => {
  test("lists the factors of the signed-in user, and is not shown to others", async () => {
    const page = await openSecurity(browser);
    expect(page).toMatchObject({ status: 200, title: "Sign-in security" });
    expect(listedFactors(page)).toEqual([await factorIdOf(service.ada.userId, "totp")]);
    expect(page.html).toContain("You have a recovery code");
    expect(page.html).not.toContain(secret);
    const stranger = await openSecurity(service.browser());
    expect(stranger).toMatchObject({ status: 403, title: "Sign in first", actions: [] });
    expect(stranger.html).not.toContain(service.ada.email);
  });

  test("forgets remembered browsers", async () => {
    const row = { tenant_id: "main", browser_hash: "h", user_id: service.ada.userId };
    const now = service.clock.now();
    await service.data.collections.trusted_browsers.insert([{ ...row, created_at: now, last_used_at: now, expires_at: now + 1e9 }]);
    const page = await openSecurity(browser);
    expect(page.html).toContain("Devices on which we don’t ask for your second step: 1.");
    service.clock.advance("1h");
    const after = await submitSecurity(browser, page, { action: "forget-browsers" });
    expect(after.html).toContain("We ask for your second step on every device.");
    expect(await service.data.collections.trusted_browsers.find({ where: ownedByAda(), limit: 1 })).toEqual([]);
  });
});

describe("a change", () => {
  test("needs a factor that is at most 15 minutes old, and then shows the page that the user requested", async () => {
    service.clock.advance("14m");
    const id = await factorIdOf(service.ada.userId, "totp");
    expect((await openSecurity(browser, { view: "rename", id })).actions).toEqual(["rename-factor"]);
    service.clock.advance("1m");
    const challenge = await openSecurity(browser, { view: "rename", id });
    expect(challenge.actions).toEqual(["enter-factor-code"]);
    const wrong = await submitSecurity(browser, challenge, { action: "enter-factor-code", code: "000000" });
    await submitSecurity(browser, challenge, { action: "enter-factor-code", code: "000000" });
    expect(await auditEvents(service.manage, "gd_auth_failed"), "a repeated form counts once").toHaveLength(1);
    expect(wrong.html).toContain('id="problem"');
    const passed = await submitSecurity(browser, wrong, { action: "enter-factor-code", code: codeNow() });
    expect(passed.actions).toEqual(["rename-factor"]);
    const renamed = await submitSecurity(browser, passed, { action: "rename-factor", name: "  My \n phone  " });
    expect(renamed.html).toContain("The name was saved.");
    expect((await factorRows(service.ada.userId)).find((row) => row["id"] === id)?.["name"]).toBe("My phone");
    expect(await auditEvents(service.manage, "gd_auth_succeed")).not.toEqual([]);
  });

  test.each([
    ["rename-factor", { name: "Mine" }],
    ["remove-factor", {}],
    ["create-recovery-code", {}],
    ["choose-new-factor", { factor: "totp" }],
    ["enter-phone", { phone }],
    ["confirm-key", { response: "{}" }],
  ])("%s has no effect with the session of last week", async (action, fields) => {
    const before = await factorRows(service.ada.userId);
    const id = await factorIdOf(service.ada.userId, "totp");
    const page = await openSecurity(browser, { view: "remove", id });
    service.clock.advance("16m");
    const next = await submitSecurity(browser, page, { action, view: "remove", id, ...fields });
    expect(next.actions).toContain("enter-factor-code");
    expect(await factorRows(service.ada.userId)).toEqual(before);
    expect(service.outbox.sent).toEqual([]);
  });

  test("without a factor needs a sign-in that is at most 15 minutes old", async () => {
    const bobs = await signInBob();
    expect((await openSecurity(bobs, { view: "add" })).html).toContain('value="totp"');
    service.clock.advance("16m");
    const closed = await openSecurity(bobs, { view: "add" });
    expect(closed).toMatchObject({ title: "Sign in again", actions: [] });
  });

  test("is rejected without the token of the form, with the token of another session, and from another origin", async () => {
    const id = await factorIdOf(service.ada.userId, "totp");
    const page = await openSecurity(browser, { view: "remove", id });
    const fields = { ...formFields(page.html), action: "remove-factor" };
    const theirs = formFields((await openSecurity(await signInBob(), { view: "add" })).html)["csrf"] ?? "";
    const post = (form: { readonly [name: string]: string }, headers = {}) => browser.post(securityPath, { form, headers });
    // An empty field counts as missing.
    expect((await post({ ...fields, csrf: "" })).status).toBe(400);
    for (const csrf of ["x", theirs]) {
      const location = (await post({ ...fields, csrf })).headers.get("location");
      expect(location, `token '${csrf}'`).toContain(`view=remove&id=${encodeURIComponent(id)}&problem=conflict`);
    }
    expect((await post(fields, { origin: "https://evil.example.test" })).status).toBe(403);
    expect((await post(fields, { origin: "null" })).status).toBe(403);
    expect(await factorIdOf(service.ada.userId, "totp")).toBe(id);
    expect((await service.browser().post(securityPath, { form: fields })).headers.get("location")).toContain(securityPath);
    expect(await factorIdOf(service.ada.userId, "totp")).toBe(id);
  });

  test.each(["rename", "remove"])("of another user's factor by %s has no effect", async (view) => {
    const bobs = await signInBob();
    await addPhone(service, bobs, phone);
    const before = await factorRows(service.ada.userId);
    const id = await factorIdOf(service.ada.userId, "totp");
    expect((await openSecurity(bobs, { view, id })).status).toBe(303);
    const own = await openSecurity(bobs, { view, id: await factorIdOf(service.bob.userId, "phone") });
    const next = await submitSecurity(bobs, own, { action: `${view}-factor`, id, name: "Stolen" });
    expect(next.title).toBe("Sign-in security");
    expect(next.html).not.toContain("problem notice");
    expect(await factorRows(service.ada.userId)).toEqual(before);
  });
});

describe("a factor of another tenant", () => {
  test.each(["rename", "remove"])("is not changed by %s, even if the user has the same id there", async (view) => {
    const [own] = (await factorRows(service.ada.userId)).filter(({ type }) => type === "totp");
    if (own === undefined) throw new Error("no factor");
    const foreign = { ...own, tenant_id: "other", id: "foreign" };
    await service.data.collections.factors.insert([foreign]);
    const rows = () => service.data.collections.factors.find({ where: { tenant_id: "other", user_id: own.user_id }, limit: 10 });
    expect(listedFactors(await openSecurity(browser))).toEqual([own.id]);
    expect((await openSecurity(browser, { view, id: "foreign" })).status).toBe(303);
    const before = await factorRows(own.user_id);
    const form = await openSecurity(browser, { view, id: own.id });
    const next = await submitSecurity(browser, form, { action: `${view}-factor`, id: "foreign", name: "Stolen" });
    expect(next.html).not.toContain("problem notice");
    expect(await rows()).toEqual([foreign]);
    expect(await factorRows(own.user_id)).toEqual(before);
    expect(service.outbox.sent).toEqual([]);
  });
});

describe("adding a factor", () => {
  test("adds a phone, mails the user, and shows a recovery code with the first one", async () => {
    const bobs = await signInBob();
    const page = await addPhone(service, bobs, phone);
    const code = shownCode(page);
    expect(await factorRows(service.bob.userId)).toHaveLength(2);
    const mail = service.outbox.take(service.bob.email);
    expect(mail.text).toContain("now has another method: phone");
    expect(mail.text).not.toContain(code);
    const overview = await submitSecurity(bobs, page, { action: "recovery-code-stored" });
    expect(overview.html).toContain("•••78");
    expect(overview.html).not.toContain(phone);
  });

  test("adds a second authenticator app, whose key only this session sees", async () => {
    const start = await openSecurity(browser, { view: "add" });
    const shown = await submitSecurity(browser, start, { action: "choose-new-factor", factor: "totp" });
    const [, key = ""] = /secret=([A-Z2-7]{32})/.exec(shown.html) ?? [];
    expect(key).not.toBe("");
    const parameters = Object.fromEntries(shown.location?.searchParams ?? []);
    expect(JSON.stringify(parameters)).not.toContain(key);
    const second = service.browser();
    await signInAtLoginPage(second, await sendAuthorization(second, service.web), service.ada).catch(() => undefined);
    expect((await openSecurity(await signInBob(), parameters)).html).not.toContain(key);
    const done = await submitSecurity(browser, shown, { action: "confirm-new-factor", code: totpAt(key, service.clock.now()) });
    expect(done.html).toContain("The method was added.");
    expect((await factorRows(service.ada.userId)).filter(({ type }) => type === "totp")).toHaveLength(2);
  });

  test("a double click on the confirmation shows the same recovery code twice, and mails once", async () => {
    const bobs = await signInBob();
    const form = await openSecurity(bobs, { view: "add", type: "phone" });
    const sent = await submitSecurity(bobs, form, { action: "enter-phone", phone });
    const code = codeOf(service.outbox.take(phone));
    const first = await submitSecurity(bobs, sent, { action: "confirm-new-factor", code });
    const second = await submitSecurity(bobs, sent, { action: "confirm-new-factor", code });
    expect(shownCode(second)).toBe(shownCode(first));
    expect(service.outbox.sent.filter(({ to }) => to === service.bob.email)).toHaveLength(1);
    expect((await factorRows(service.bob.userId)).filter(({ type }) => type === "phone")).toHaveLength(1);
    service.clock.advance("2m");
    expect((await submitSecurity(bobs, sent, { action: "confirm-new-factor", code })).html).not.toContain("<code");
  });

  test("rejects a wrong first code, and an unconfirmed factor has no effect", async () => {
    const bobs = await signInBob();
    const form = await openSecurity(bobs, { view: "add", type: "phone" });
    const sent = await submitSecurity(bobs, form, { action: "enter-phone", phone });
    const code = differentCode(codeOf(service.outbox.take(phone)));
    const wrong = await submitSecurity(bobs, sent, { action: "confirm-new-factor", code });
    await submitSecurity(bobs, sent, { action: "confirm-new-factor", code });
    expect(await auditEvents(service.manage, "gd_auth_failed"), "a repeated form counts once").toHaveLength(1);
    expect(wrong.html).toContain("This code is wrong");
    expect(listedFactors(await openSecurity(bobs))).toEqual([]);
    expect(service.outbox.sent.filter(({ to }) => to === service.bob.email)).toEqual([]);
  });
});

describe("the recovery code", () => {
  test("is replaced, and a double click shows the code that is valid", async () => {
    const page = await openSecurity(browser, { view: "recovery-code" });
    const [first, second] = await Promise.all([1, 2].map(() => submitSecurity(browser, page, { action: "create-recovery-code" })));
    if (first === undefined || second === undefined) throw new Error("two responses");
    const code = shownCode(first);
    expect(shownCode(second)).toBe(code);
    expect(service.outbox.take(service.ada.email).text).toContain("was replaced: recovery code");
    service.clock.advance("20m");
    const challenge = await openSecurity(browser, { view: "add" });
    const chosen = await submitSecurity(browser, challenge, { action: "choose-factor", factor: "recovery-code" });
    const next = await submitSecurity(browser, chosen, { action: "enter-factor-code", code });
    expect(shownCode(next)).not.toBe(code);
    expect((await submitSecurity(browser, next, { action: "recovery-code-stored" })).html).toContain('value="totp"');
  });
});

describe("removing a factor", () => {
  test("removes it, mails the address of before, and removes a recovery code that is left alone", async () => {
    const id = await factorIdOf(service.ada.userId, "totp");
    const page = await openSecurity(browser, { view: "remove", id });
    expect(page.html).toContain("This is your only second step");
    const after = await submitSecurity(browser, page, { action: "remove-factor" });
    expect(after.html).toContain("The method was removed.");
    expect(after.html).toContain("data-accepted-credentials");
    expect(await factorRows(service.ada.userId)).toEqual([]);
    expect(service.outbox.take(service.ada.email).text).toContain("no longer has this method: authenticator app");
    const again = await submitSecurity(browser, page, { action: "remove-factor" });
    expect(again.html).not.toContain("The method was removed.");
    expect(service.outbox.sent).toEqual([]);
  });

  test("keeps the last factor under a policy", async () => {
    await setPolicies(service, ["all-applications"]);
    const id = await factorIdOf(service.ada.userId, "totp");
    const page = await openSecurity(browser, { view: "remove", id });
    expect(page).toMatchObject({ title: "This method can’t be removed", actions: [] });
    const rename = await openSecurity(browser, { view: "rename", id });
    await submitSecurity(browser, rename, { action: "remove-factor" });
    expect(await factorIdOf(service.ada.userId, "totp")).toBe(id);
  });

  test("of 32 parallel removals under a policy, one factor stays", async () => {
    await addPhone(service, browser, phone);
    await setPolicies(service, ["all-applications"]);
    const ids = [await factorIdOf(service.ada.userId, "totp"), await factorIdOf(service.ada.userId, "phone")];
    const page = await openSecurity(browser, { view: "remove", id: ids[0] ?? "" });
    service.outbox.sent.length = 0;
    await Promise.all(
      Array.from({ length: 32 }, (_, index) => submitSecurity(browser, page, { action: "remove-factor", id: ids[index % 2] ?? "" })),
    );
    const left = (await factorRows(service.ada.userId)).filter(({ type }) => type !== "recovery-code");
    expect(left).toHaveLength(1);
    expect(service.outbox.sent.filter(({ to }) => to === service.ada.email)).toHaveLength(1);
    expect((await service.data.collections.users.find({ where: ownedByAda(), limit: 1 }))[0]?.["removing_factor"]).toBeNull();
  });
});

test("two tabs: a form of the first tab works after a change in the second", async () => {
  const id = await factorIdOf(service.ada.userId, "totp");
  const first = await openSecurity(browser, { view: "rename", id });
  const second = await openSecurity(browser, { view: "rename", id });
  await submitSecurity(browser, second, { action: "rename-factor", name: "Second" });
  await submitSecurity(browser, first, { action: "rename-factor", name: "First" });
  expect((await openSecurity(browser)).html).toContain("First");
});
