import { beforeEach, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { sendAuthorization, login, obtainTokens, offline, openService, refreshGrant, type LoginService } from "../support/flow.ts";
import { addUnverifiedUser, openLink, submitLinkForm, createTicketLink } from "../support/links.ts";

const password = "a-new-password-1";

let service: LoginService;
let link: string;

beforeEach(async () => {
  service = await openService();
  link = await createTicketLink(service, "password-change", { user_id: service.ada.userId, client_id: service.web.clientId });
});

const fetchUser = async (id = service.ada.userId) => jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(id)}`), 200);

test("opening the link changes nothing; the form sets the password, revokes other sessions and links to the app", async () => {
  const { web, ada } = service;
  const elsewhere = service.browser();
  const issued = await obtainTokens(service, web, ada, offline, elsewhere);
  const browser = service.browser();
  for (let i = 0; i < 3; i++) expect(await openLink(browser, link)).toMatchObject({ status: 200, title: "Choose a new password" });
  expect(await sendAuthorization(elsewhere, web, { prompt: "none" })).toMatchObject({ parameters: { code: expect.any(String) } });

  const page = await openLink(browser, link);
  expect(page.html).toContain('autocomplete="new-password"');
  const done = await submitLinkForm(browser, page, { password });
  expect(done).toMatchObject({ status: 200, title: "Your password was changed" });
  expect(done.html).toContain('href="https://app.example.test/"');
  expect(await sendAuthorization(elsewhere, web, { prompt: "none" })).toMatchObject({ parameters: { error: "login_required" } });
  expect((await service.exchange(refreshGrant(web, issued.refresh))).status).toBe(400);
  await login(service.browser(), web, { ...ada, password });
  await expect(login(service.browser(), web, ada)).rejects.toThrow();
  expect((await service.manage("GET", "/api/v2/logs?q=type:scp")).body).toHaveLength(1);
});

test("three clicks set the password once, and each shows that it is set", async () => {
  const browser = service.browser();
  const page = await openLink(browser, link);
  const result = await Promise.all([1, 2, 3].map(() => submitLinkForm(browser, page, { password })));
  expect(result.map(({ title }) => title)).toContain("Your password was changed");
  expect(await submitLinkForm(browser, page, { password: "another-password-2" })).toMatchObject({
    status: 200,
    title: "Your password was changed",
  });
  await login(service.browser(), service.web, { ...service.ada, password });
  expect((await service.manage("GET", "/api/v2/logs?q=type:scp")).body).toHaveLength(1);
});

test("a used link in another browser shows that it was used, without the email address", async () => {
  const { ada } = service;
  const browser = service.browser();
  const done = await submitLinkForm(browser, await openLink(browser, link), { password });
  expect(done.html).toContain(ada.email);
  expect(await openLink(browser, link), "a reload").toMatchObject({ status: 200, title: "Your password was changed" });

  const second = await openLink(service.browser(), link);
  expect(second).toMatchObject({ status: 400, title: "This link was already used", actions: [] });
  expect(second.html).not.toContain(ada.email);
  expect(second.html.match(/<a class="button[^>]*>([^<]*)/g)).toEqual([expect.stringContaining("Send a new link")]);

  const another = await createTicketLink(service, "password-change", { user_id: ada.userId });
  const elsewhere = service.browser();
  await submitLinkForm(elsewhere, await openLink(elsewhere, another), { password: "another-password-2" });
  expect(await openLink(browser, another), "a browser that used another link").toMatchObject({ title: "This link was already used" });
});

test("prompts again for a missing, weak or previous password, and keeps the link valid", async () => {
  const { manage, ada, web } = service;
  const [connection] = (await manage("GET", "/api/v2/connections")).body as { id: string }[];
  await manage("PATCH", `/api/v2/connections/${connection?.id}`, {
    options: { passwordPolicy: "good", password_history: { enable: true, size: 5 }, password_no_personal_info: { enable: true } },
  });
  const browser = service.browser();
  const page = await openLink(browser, link);
  for (const [typed, result] of [
    ["", "Enter your password."],
    ["short", "This password is too easy to guess."],
    ["Ada@example.test-1", "This password contains your name or address."],
    [ada.password, "You’ve used this password before."],
  ] as const) {
    if (typed === ada.password)
      await manage("PATCH", `/api/v2/connections/${connection?.id}`, { options: { password_history: { enable: true } } });
    const repeated = await submitLinkForm(browser, page, { password: typed });
    expect(repeated).toMatchObject({ status: 200, title: "Choose a new password" });
    expect(repeated.html).toContain(result);
    expect(repeated.html).toContain("<title>Problem: ");
    if (typed !== "") expect(repeated.html).not.toContain(typed);
  }
  await login(service.browser(), web, ada);
  expect(await submitLinkForm(browser, page, { password: "Good-enough-1" })).toMatchObject({ title: "Your password was changed" });
});

test("a link is invalid after the password or the email address changed, and the page says whether a link is expired or unknown", async () => {
  const { manage, ada, clock } = service;
  const path = `/api/v2/users/${encodeURIComponent(ada.userId)}`;
  const second = await createTicketLink(service, "password-change", { user_id: ada.userId });
  const browser = service.browser();
  const pages = [await openLink(browser, link), await openLink(browser, second)] as const;
  await manage("PATCH", path, { email: "new@example.test" });
  expect(await submitLinkForm(browser, pages[0], { password })).toMatchObject({ status: 400, title: "This link is no longer valid" });
  await manage("PATCH", path, { email: ada.email });
  expect(await submitLinkForm(browser, pages[0], { password })).toMatchObject({ title: "Your password was changed" });
  expect(await submitLinkForm(browser, pages[1], { password: "another-password-2" })).toMatchObject({
    status: 400,
    title: "This link is no longer valid",
  });
  await login(service.browser(), service.web, { ...ada, password });

  const third = await createTicketLink(service, "password-change", { user_id: ada.userId, ttl_sec: 60 });
  clock.advance("61s");
  expect(await openLink(browser, third)).toMatchObject({ status: 400, title: "This link has expired" });
  for (const unknown of [`${third}x`, third.replace("reset-password", "verify-email"), "/u/reset-password?ticket=x"]) {
    expect(await openLink(browser, unknown)).toMatchObject({ status: 400, title: "We don’t recognize this link" });
  }
});

test("a link that the API caller receives verifies the email address only if the ticket says so", async () => {
  const eve = await addUnverifiedUser(service, "eve@example.test");
  const browser = service.browser();
  const reset = async (more: object, password: string): Promise<void> => {
    const ticket = await createTicketLink(service, "password-change", { user_id: eve.userId, ...more });
    expect(await submitLinkForm(browser, await openLink(browser, ticket), { password })).toMatchObject({
      title: "Your password was changed",
    });
  };
  await reset({}, "first-password-1");
  expect(await fetchUser(eve.userId)).toMatchObject({ email_verified: false });
  await reset({ mark_email_as_verified: true }, "second-password-2");
  expect(await fetchUser(eve.userId)).toMatchObject({ email_verified: true });
});

test("redirects to the ticket's result_url, with the outcome in its query", async () => {
  const { ada } = service;
  const browser = service.browser();
  const targetOf = async (more: object): Promise<URL> => {
    const ticket = await createTicketLink(service, "password-change", {
      user_id: ada.userId,
      result_url: "https://app.example.test/done?a=1",
      ...more,
    });
    const { html } = await submitLinkForm(browser, await openLink(browser, ticket), { password: `password-${Math.random()}` });
    const [, href = ""] = /<a class="button main" href="([^"]*)"/.exec(html) ?? [];
    return new URL(href.replaceAll("&amp;", "&"));
  };
  const bare = await targetOf({});
  expect(`${bare.origin}${bare.pathname}`).toBe("https://app.example.test/done");
  expect(Object.fromEntries(bare.searchParams)).toMatchObject({ a: "1", success: "true" });
  expect(bare.searchParams.has("email")).toBe(false);
  expect((await targetOf({ includeEmailInRedirect: true })).searchParams.get("email")).toBe(ada.email);
});
