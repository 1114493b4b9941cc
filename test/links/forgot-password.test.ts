import type { Mail } from "@postern/core";
import { beforeEach, expect, test } from "vitest";
import { openService, type LoginService } from "../support/flow.ts";
import { addUnverifiedUser, openLink, submitLinkForm, createTicketLink } from "../support/links.ts";

let service: LoginService;
const mails: Mail[] = [];

beforeEach(async () => {
  mails.length = 0;
  service = await openService({ messages: { mail: { send: async (mail) => void mails.push(mail) } } });
});

const page = "/u/forgot-password";

test("redirects password managers to the page that sends reset links, which shows the same response for every identifier", async () => {
  const browser = service.browser();
  const known = await browser.get("/.well-known/change-password");
  expect([known.status, known.headers.get("location")]).toEqual([303, `https://id.example.test${page}`]);
  const requested = await openLink(browser, page);
  expect(requested).toMatchObject({ status: 200, title: "Reset your password", actions: ["send-link"] });
  expect(mails).toEqual([]);
  const [ada, noUser] = [
    await submitLinkForm(browser, requested, { identifier: " Ada@example.test " }),
    await submitLinkForm(browser, requested, { identifier: "unknown" }),
  ];
  expect(ada).toMatchObject({ status: 200, title: "Check your email" });
  expect(ada.html.replaceAll(/nonce="[^"]*"/g, "")).toBe(noUser.html.replaceAll(/nonce="[^"]*"/g, ""));
  expect(mails).toMatchObject([{ to: service.ada.email, template: "reset_email" }]);
  const form = await openLink(browser, mails[0]?.link ?? "");
  expect(await submitLinkForm(browser, form, { password: "a-new-password-1" })).toMatchObject({ title: "Your password was changed" });
});

test("keeps the client and the language of the request in the mail and in the next pages", async () => {
  const browser = service.browser();
  const requested = await openLink(browser, `${page}?client_id=${service.web.clientId}&ui_locales=de`);
  expect(requested.html).toContain('lang="de"');
  const sent = await submitLinkForm(browser, requested, { identifier: service.ada.email });
  expect(sent.html).toContain('lang="de"');
  expect(sent.html).toContain('href="https://app.example.test/"');
  expect(mails[0]?.subject).toMatch(/Passwort/);
  const form = await openLink(browser, mails[0]?.link ?? "");
  expect(form.html).toContain('lang="de"');
});

test.each(["", "   ", "x".repeat(321)])("prompts again if the identifier is empty: %j", async (identifier) => {
  const browser = service.browser();
  const repeated = await submitLinkForm(browser, await openLink(browser, page), { identifier });
  expect(repeated).toMatchObject({ status: 200, title: "Reset your password" });
  expect(repeated.html).toContain("Enter your email address.");
  expect(mails).toEqual([]);
});

test("rejects a cross-site form and an unknown client", async () => {
  const browser = service.browser();
  const form = { identifier: service.ada.email };
  expect((await browser.post(page, { form, headers: { origin: "https://evil.example" } })).status).toBe(403);
  expect((await browser.get(`${page}?client_id=none`)).status).toBe(401);
  expect(mails).toEqual([]);
});

test("redirects from invalid reset links", async () => {
  const browser = service.browser();
  const bare = await browser.get("/u/reset-password");
  expect([bare.status, bare.headers.get("location")]).toEqual([303, `https://id.example.test${page}`]);
  const link = await createTicketLink(service, "password-change", { user_id: service.ada.userId, client_id: service.web.clientId });
  await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { password: "another-password-1" });
  expect((await openLink(browser, link)).html).toContain(`href="https://id.example.test${page}?client_id=${service.web.clientId}"`);
  expect((await openLink(browser, `${link}x`)).html).toContain(`href="https://id.example.test${page}"`);
});

test("a user who did not create the account on their address can take it over", async () => {
  const eve = await addUnverifiedUser(service, "eve@example.test");
  const link = await createTicketLink(service, "email-verification", { user_id: eve.userId });
  const browser = service.browser();
  const unlinked = await submitLinkForm(browser, await openLink(browser, link), { action: "no" });
  const [, href = ""] = /<a class="button main" href="([^"]*)"/.exec(unlinked.html) ?? [];
  await submitLinkForm(browser, await openLink(browser, href), { identifier: eve.email });
  const form = await openLink(browser, mails[0]?.link ?? "");
  expect(await submitLinkForm(browser, form, { password: "owners-password-1" })).toMatchObject({ title: "Your password was changed" });
  const { body } = await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`);
  expect(body).toMatchObject({ email_verified: true });
});
