import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { login, openService, type LoginService, type TestAccount } from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm } from "../support/links.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "../support/outbox.ts";
import { openSection, showSections, signInBrowser, submitForm } from "./page.ts";

/** The section `addresses` of the account page: users change their email address and their phone number. */

const newEmail = "new@example.test";
const newPhone = "+4915112345678";

let outbox: Outbox;
let service: LoginService;
let browser: Browser;

beforeEach(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail, sms: outbox.sms } });
  await showSections(service, { addresses: "shown" });
  browser = await signInBrowser(service, service.ada);
});

const pathOf = (account: TestAccount) => `/api/v2/users/${encodeURIComponent(account.userId)}`;
const userOf = async (account: TestAccount) => jsonBody(await service.manage("GET", pathOf(account)));
const row = async () =>
  (await service.data.collections.users.find({ where: { tenant_id: "main", user_id: service.ada.userId }, limit: 1 }))[0];

/** Submits a form of the section, and opens the page that it redirects to. */
async function send(own: Browser, page: Awaited<ReturnType<typeof openLink>>, more: { readonly [field: string]: string }) {
  const { location } = await submitForm(own, page, more);
  return { ...(await openLink(own, location?.href ?? "")), location };
}

/** Requests the code for a new email address, and returns the page with the field for it. */
async function requestCode(own: Browser, email: string = newEmail) {
  return send(own, await openSection(own, "addresses", { view: "email" }), { action: "send-email-code", email });
}

async function requestPhoneCode(own: Browser, phone: string = newPhone) {
  const form = await openSection(own, "addresses", { view: "phone" });
  return send(own, form, { action: "send-phone-code", phone });
}

const confirm = (own: Browser, page: Awaited<ReturnType<typeof openLink>>, code: string) =>
  send(own, page, { action: "confirm-address", code });

/** Changes the email address, and returns the link in the mail to the former address. */
async function changeEmail(own: Browser): Promise<string> {
  const page = await requestCode(own);
  expect((await confirm(own, page, codeOf(outbox.take(newEmail)))).location?.searchParams.get("done")).toBe("saved");
  return undoLink();
}

function undoLink(): string {
  const [link = ""] = /https:\/\/\S*\/u\/undo-factor-change\?ticket=[\w.%-]+/.exec(outbox.take(service.ada.email).text) ?? [];
  expect(link).not.toBe("");
  return link;
}

describe("a new email address", () => {
  test("counts only after its code, is verified, and is reported to the former address", async () => {
    const page = await requestCode(browser);
    expect(page.html).toContain(newEmail);
    expect(page.location?.href).not.toContain("new@");
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
    const code = codeOf(outbox.take(newEmail));
    const wrong = await confirm(browser, page, differentCode(code));
    expect(wrong.html).toContain("This code is wrong");
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
    const done = await confirm(browser, page, code);
    expect(done.html).toContain(newEmail);
    expect(await userOf(service.ada)).toMatchObject({ email: newEmail, email_verified: true });
    const mail = outbox.take(service.ada.email);
    expect(mail).toMatchObject({ template: "email_changed", subject: "Your email address was changed" });
    expect(mail.text).toContain("This wasn’t me");
    expect(outbox.sent.filter(({ to }) => to === newEmail)).toEqual([]);
    expect(await auditEvents(service.manage, "sce")).toMatchObject([{ user_id: service.ada.userId }]);
    // The user signs in with the new address only.
    await login(service.browser(), service.web, { ...service.ada, email: newEmail });
    await expect(login(service.browser(), service.web, service.ada)).rejects.toThrow();
  });

  test("of another account gets the same page, no valid code, and a mail to its owner", async () => {
    const free = await requestCode(browser);
    const taken = await requestCode(browser, service.bob.email);
    const anonymous = ({ html }: { readonly html: string }) =>
      html
        .replaceAll(newEmail, "ADDRESS")
        .replaceAll(service.bob.email, "ADDRESS")
        .replaceAll(/value="[^"]*"|nonce="[^"]*"/g, "");
    expect(anonymous(taken)).toBe(anonymous(free));
    const mail = outbox.take(service.bob.email);
    expect(mail).toMatchObject({ template: "address_in_use" });
    expect(mail.code).toBeUndefined();
    const codes = Array.from({ length: 4 }, (_, index) => String(index).padStart(6, "0"));
    for (const code of codes) expect((await confirm(browser, taken, code)).html).toContain("This code is wrong");
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
    expect(await userOf(service.bob)).toMatchObject({ email: service.bob.email });
  });

  test("is rejected if it is no address or the current one, and if another account gets it first", async () => {
    expect((await requestCode(browser, "no-address")).html).toContain("doesn’t look like an email address");
    expect((await requestCode(browser, "ADA@example.test")).html).toContain("This is the current one already");
    const page = await requestCode(browser);
    const code = codeOf(outbox.take(newEmail));
    await service.addUser(newEmail);
    expect((await confirm(browser, page, code)).location?.searchParams.get("problem")).toBe("outdated");
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
  });

  test("queues logout tokens for the applications only once the account has it", async () => {
    const oidc_logout = {
      backchannel_logout_urls: ["https://app.example.test/backchannel-logout"],
      backchannel_logout_initiators: { mode: "custom", selected_initiators: ["email-identifier-changed"] },
    };
    expect((await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, { oidc_logout })).status).toBe(200);
    const queued = () => service.data.collections.logout_deliveries.count({ tenant_id: "main" });
    const page = await requestCode(browser);
    await service.addUser(newEmail);
    expect((await confirm(browser, page, codeOf(outbox.take(newEmail)))).location?.searchParams.get("problem")).toBe("outdated");
    expect(await queued()).toBe(0);
    const second = await requestCode(browser, "second@example.test");
    await confirm(browser, second, codeOf(outbox.take("second@example.test")));
    expect(await queued()).toBe(1);
  });

  test("is written once by 32 parallel confirmations", async () => {
    const page = await requestCode(browser);
    const form = { ...formFields(page.html), action: "confirm-address", code: codeOf(outbox.take(newEmail)) };
    const replies = await Promise.all(Array.from({ length: 32 }, () => browser.post(formAction(page.html) ?? "", { form })));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 303));
    expect(await userOf(service.ada)).toMatchObject({ email: newEmail });
    expect(await auditEvents(service.manage, "sce")).toHaveLength(1);
    expect(outbox.sent.filter(({ template }) => template === "email_changed")).toHaveLength(1);
  });

  test("gets one code however often the form is sent, and another one on request", async () => {
    const form = await openSection(browser, "addresses", { view: "email" });
    const fields = { ...formFields(form.html), action: "send-email-code", email: newEmail };
    const replies = await Promise.all(Array.from({ length: 4 }, () => browser.post(formAction(form.html) ?? "", { form: fields })));
    expect(new Set(replies.map(({ headers }) => headers.get("location"))).size).toBe(1);
    expect(outbox.sent.filter(({ to }) => to === newEmail)).toHaveLength(1);
    const page = await openLink(browser, replies[0]?.headers.get("location") ?? "");
    const again = await send(browser, page, { action: "send-another-code" });
    expect(outbox.sent.filter(({ to }) => to === newEmail)).toHaveLength(2);
    await confirm(browser, again, codeOf(outbox.take(newEmail)));
    expect(await userOf(service.ada)).toMatchObject({ email: newEmail });
  });

  test("is not set by another session, by another user, with an older sign-in, or if the section is read-only", async () => {
    const page = await requestCode(browser);
    const code = codeOf(outbox.take(newEmail));
    const id = page.location?.searchParams.get("id") ?? "";
    for (const other of [await signInBrowser(service, service.ada), await signInBrowser(service, service.bob)]) {
      expect((await other.get(`/u/account/addresses?view=code&id=${id}`)).status).toBe(303);
      const own = await requestCode(other, "third@example.test");
      await submitForm(other, own, { action: "confirm-address", id, code });
    }
    await showSections(service, { addresses: "read_only" });
    await submitForm(browser, page, { action: "confirm-address", code });
    expect((await openSection(browser, "addresses")).html).not.toContain("view=email");
    await showSections(service, { addresses: "shown" });
    service.clock.advance("16m");
    expect((await openSection(browser, "addresses", { view: "email" })).title).toBe("Sign in again");
    await submitForm(browser, page, { action: "confirm-address", code });
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
    expect(await userOf(service.bob)).toMatchObject({ email: service.bob.email });
  });

  test("that was requested before a reset, a block or a deletion is not set after it", async () => {
    const bobs = await signInBrowser(service, service.bob);
    const page = await requestCode(browser);
    const code = codeOf(outbox.take(newEmail));
    const link = await createTicketLink(service, "password-change", { user_id: service.ada.userId });
    await submitLinkForm(service.browser(), await openLink(service.browser(), link), { password: "another long phrase 7" });
    // The session ended, and the code belongs to it.
    expect((await submitForm(browser, page, { action: "confirm-address", code })).location?.pathname).toBe("/u/account/addresses");
    const where = { tenant_id: "main", user_id: service.ada.userId };
    await service.data.collections.sessions.update(where, { set: { revoked_at: null } });
    await submitForm(browser, page, { action: "confirm-address", code });
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
    const second = await requestCode(bobs, "second@example.test");
    const bobsCode = codeOf(outbox.take("second@example.test"));
    await service.manage("PATCH", pathOf(service.bob), { blocked: true });
    await submitForm(bobs, second, { action: "confirm-address", code: bobsCode });
    expect(await userOf(service.bob)).toMatchObject({ email: service.bob.email });
    await service.manage("DELETE", pathOf(service.bob));
    await submitForm(bobs, second, { action: "confirm-address", code: bobsCode });
    expect((await service.manage("GET", pathOf(service.bob))).status).toBe(404);
  });

  test("cannot be chosen by users of an identity provider or of codes by email", async () => {
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email", enabled_clients: [service.web.clientId] });
    const created = await service.manage.create("/api/v2/users", { connection: "email", email: "eve@example.test", email_verified: true });
    const where = { tenant_id: "main", user_id: service.ada.userId };
    await service.data.collections.sessions.update(where, {
      set: { user_id: String(created["user_id"]), account_id: String(created["user_id"]) },
    });
    const page = await openSection(browser, "addresses");
    expect(page.html).toContain("eve@example.test");
    expect(page.html).not.toContain("view=email");
    expect((await browser.get("/u/account/addresses?view=email")).status).toBe(303);
  });
});

describe("a new phone number", () => {
  beforeEach(async () => {
    await service.manage("PATCH", pathOf(service.ada), { phone_number: "+4915112340000", phone_verified: true });
  });

  test("counts only after its code, and is reported by email", async () => {
    const page = await requestPhoneCode(browser);
    const code = codeOf(outbox.take(newPhone));
    expect((await confirm(browser, page, differentCode(code))).html).toContain("This code is wrong");
    await confirm(browser, page, code);
    expect(await userOf(service.ada)).toMatchObject({ phone_number: newPhone, phone_verified: true });
    expect(outbox.take(service.ada.email)).toMatchObject({ template: "phone_changed" });
    expect(await auditEvents(service.manage, "scpn")).toHaveLength(1);
  });

  test("of another account gets the same page, and no message", async () => {
    await service.manage("PATCH", pathOf(service.bob), { phone_number: newPhone, phone_verified: true });
    const page = await requestPhoneCode(browser);
    expect(page.html).toContain(newPhone);
    expect(outbox.sent).toEqual([]);
    expect((await confirm(browser, page, "000000")).html).toContain("This code is wrong");
  });

  test("is shown in its right spelling if it was written in another one", async () => {
    expect((await requestPhoneCode(browser, "+61 0412 345 678")).html).toContain("+61412345678");
    expect((await requestPhoneCode(browser, "0412")).html).toContain("with + and the country code");
  });
});

describe("the link in the mail about a new address", () => {
  test("ends sessions, restores nothing, offers no reset, and freezes the address and the password for 24 hours", async () => {
    const link = await changeEmail(browser);
    const victim = service.browser();
    const done = await submitLinkForm(victim, await openLink(victim, link), {});
    expect(done).toMatchObject({ status: 200, title: "All sessions were ended" });
    expect(done.html).not.toContain("forgot-password");
    expect((await openSection(browser, "addresses")).html).not.toContain("Email and phone");
    expect(await userOf(service.ada)).toMatchObject({ email: newEmail });
    const thief = await signInBrowser(service, { ...service.ada, email: newEmail });
    expect(await openSection(thief, "addresses", { view: "email" })).toMatchObject({ title: "Changes are paused", actions: [] });
    const reset = await createTicketLink(service, "password-change", { user_id: service.ada.userId });
    const page = await openLink(service.browser(), reset);
    const before = (await row())?.["password_id"];
    const refused = await submitLinkForm(service.browser(), page, { password: "another long phrase 7" });
    expect(refused.html).toContain("No new password can be set for 24 hours");
    expect((await row())?.["password_id"]).toBe(before);
    service.clock.advance("24h");
    await submitLinkForm(service.browser(), await openLink(service.browser(), reset), { password: "another long phrase 7" });
    expect((await row())?.["password_id"]).not.toBe(before);
  });

  test("does not stop an administrator, who restores the former address and sets a password", async () => {
    const link = await changeEmail(browser);
    await submitLinkForm(service.browser(), await openLink(service.browser(), link), {});
    const restored = await service.manage("PATCH", pathOf(service.ada), { email: service.ada.email, email_verified: true });
    expect(restored.status).toBe(200);
    expect((await service.manage("PATCH", pathOf(service.ada), { password: "another long phrase 7" })).status).toBe(200);
    expect(await userOf(service.ada)).toMatchObject({ email: service.ada.email });
  });

  test("stops a change that was begun before it", async () => {
    const link = await changeEmail(browser);
    const page = await requestCode(browser, "third@example.test");
    const code = codeOf(outbox.take("third@example.test"));
    await submitLinkForm(service.browser(), await openLink(service.browser(), link), {});
    const where = { tenant_id: "main", user_id: service.ada.userId };
    await service.data.collections.sessions.update(where, { set: { revoked_at: null } });
    await submitForm(browser, page, { action: "confirm-address", code });
    expect(await userOf(service.ada)).toMatchObject({ email: newEmail });
  });
});
