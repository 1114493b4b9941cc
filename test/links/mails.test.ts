import type { Mail } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember } from "../support/api.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { login, openService, type LoginService } from "../support/flow.ts";
import { addUnverifiedUser, openLink, submitLinkForm, createTicketLink } from "../support/links.ts";
import type { ApiResponse } from "../support/postern.ts";

const database = "Username-Password-Authentication";
const password = "a-new-password-1";

let service: LoginService;
const mails: Mail[] = [];

const messages = { messages: { mail: { send: async (mail: Mail) => void mails.push(mail) } } };

beforeEach(async () => {
  mails.length = 0;
  service = await openService(messages);
});

const linkOf = (mail: Mail | undefined): string => {
  if (mail?.link === undefined) throw new Error("no mail with a link was sent");
  return mail.link;
};

describe("POST /dbconnections/change_password", () => {
  const forget = (body: object, headers = {}): Promise<ApiResponse> =>
    service.call("POST", "/dbconnections/change_password", {
      body: { client_id: service.web.clientId, connection: database, ...body },
      headers,
    });

  test("sends a link that sets the password and is valid for an hour", async () => {
    const { ada } = service;
    expect(await forget({ email: "ADA@example.test" })).toMatchObject({
      status: 200,
      body: expect.stringContaining("If an account exists"),
    });
    expect(mails).toMatchObject([{ to: ada.email, template: "reset_email" }]);
    const link = linkOf(mails[0]);
    const browser = service.browser();
    const page = await openLink(browser, link);
    service.clock.advance("59m");
    expect(await openLink(browser, link)).toMatchObject({ status: 200 });
    expect(await submitLinkForm(browser, page, { password })).toMatchObject({ title: "Your password was changed" });
    await login(service.browser(), service.web, { ...ada, password });
    // The owner of the account gets a mail.
    expect(mails[1]).toMatchObject({ to: ada.email, template: "password_changed" });
    await forget({ email: ada.email });
    service.clock.advance("61m");
    expect(await openLink(browser, linkOf(mails[2]))).toMatchObject({ status: 400, title: "This link has expired" });
  });

  test("returns the same response for known and unknown email addresses, with the same headers and the same number of queries", async () => {
    const seen: object[] = [];
    const data = countingAdapter(createMemoryAdapter({ strict: true }));
    service = await openService({ ...messages, data });
    await forget({ email: "warm@example.test" });
    for (const email of [service.ada.email, "unknown@example.test", service.bob.email, "unknown-too@example.test"]) {
      let response: ApiResponse | undefined;
      const { statements, roundTrips } = await data.costOf(async () => {
        response = await forget({ email });
      });
      const headers = [...(response?.headers ?? [])].filter(([name]) => name !== "x-request-id");
      seen.push({ status: response?.status, body: response?.body, headers, statements, roundTrips });
    }
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toHaveProperty("size", 1);
    expect(mails.map(({ to }) => to)).toEqual([service.ada.email, service.bob.email]);
  });

  test.each<readonly [string, object]>([
    ["an unknown connection", { connection: "none" }],
    ["a connection without passwords", { connection: "sms" }],
    ["a connection without self-service password changes", { connection: "closed" }],
    ["an invalid address", { email: "ada" }],
    ["header injection", { email: "ada@example.test\r\nBcc: eve@example.test" }],
  ])("returns the same response and sends no mail for %s", async (_which, body) => {
    await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    await service.manage.create("/api/v2/connections", {
      name: "closed",
      strategy: "auth0",
      options: { disable_self_service_change_password: true },
    });
    await service.manage.create("/api/v2/users", { connection: "closed", email: "ada@example.test", password: "Correct-horse-1" });
    const { body: result, status } = await forget({ email: "unknown@example.test" });
    expect(await forget({ email: "ada@example.test", ...body })).toMatchObject({ status, body: result });
    expect(mails).toEqual([]);
  });

  test("finds users by username as well, and accepts a form", async () => {
    const { manage } = service;
    await manage.create("/api/v2/connections", { name: "named", strategy: "auth0", options: { requires_username: true } });
    await manage.create("/api/v2/users", { connection: "named", username: "eve", email: "eve@example.test", password: "Correct-horse-1" });
    expect(await forget({ connection: "named", username: "Eve" })).toMatchObject({ status: 200 });
    expect(mails).toMatchObject([{ to: "eve@example.test" }]);
  });

  test.each<readonly [string, object, number]>([
    ["a missing user", {}, 400],
    ["spaces", { email: "  " }, 400],
    ["a number", { email: 7 }, 400],
    ["1001 characters", { email: "x".repeat(1001) }, 400],
    ["an unknown client", { email: "ada@example.test", client_id: "none" }, 401],
  ])("rejects %s", async (_which, body, status) => {
    expect((await forget(body)).status).toBe(status);
    expect(mails).toEqual([]);
  });

  test("sends at most five links an hour to one email address, without affecting others", async () => {
    for (let i = 0; i < 8; i++) expect(await forget({ email: service.ada.email })).toMatchObject({ status: 200 });
    expect(mails).toHaveLength(5);
    await forget({ email: service.bob.email });
    expect(mails).toHaveLength(6);
    service.clock.advance("61m");
    await forget({ email: service.ada.email });
    expect(mails).toHaveLength(7);
  });

  test("does not wait for the sender, and succeeds if it throws", async () => {
    const senders = [() => new Promise<void>(() => {}), () => Promise.reject(new Error("down"))];
    for (const send of senders) {
      const other = await openService({ messages: { mail: { send } } });
      const request = new Request("https://id.example.test/dbconnections/change_password", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ client_id: other.web.clientId, email: other.ada.email }),
      });
      expect((await other.postern.fetch(request, { waitUntil: () => {} })).status).toBe(200);
    }
  });
});

describe("an expired link", () => {
  test.each([
    ["email-verification", "verify_email", "Did you create this account?"],
    ["password-change", "reset_email", "Choose a new password"],
  ] as const)("can be renewed once: %s", async (kind, template, title) => {
    const eve = await addUnverifiedUser(service, "eve@example.test");
    const link = await createTicketLink(service, kind, { user_id: eve.userId, client_id: service.web.clientId });
    const browser = service.browser();
    service.clock.advance("121h");
    const page = await openLink(browser, link);
    expect(page).toMatchObject({ status: 400, title: "This link has expired", actions: ["renew"] });
    expect(mails).toEqual([]);
    const sent = await Promise.all([1, 2, 3].map(() => submitLinkForm(browser, page, { action: "renew" })));
    expect(sent.map(({ title: result }) => result)).toEqual(["Check your email", "Check your email", "Check your email"]);
    expect(mails).toMatchObject([{ to: "eve@example.test", template }]);
    expect(await openLink(browser, linkOf(mails[0]))).toMatchObject({ status: 200, title });
    // The old link no longer has an effect.
    await submitLinkForm(browser, page, { action: "yes", password });
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`))).toMatchObject({
      email_verified: false,
    });
    await login(service.browser(), service.web, eve);
  });

  test("cannot be renewed after the email address of the account changed", async () => {
    const link = await createTicketLink(service, "password-change", { user_id: service.ada.userId });
    service.clock.advance("121h");
    const browser = service.browser();
    const page = await openLink(browser, link);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { email: "other@example.test" });
    expect(await submitLinkForm(browser, page, { action: "renew" })).toMatchObject({ title: "This link is no longer valid" });
    expect(mails).toEqual([]);
  });
});

describe("a verification mail", () => {
  const create = (body: object): Promise<ApiResponse> =>
    service.manage("POST", "/api/v2/users", { connection: database, email: "eve@example.test", password: "Correct-horse-1", ...body });

  test("is sent with `verify_email` for a created and for an updated user, and not without it", async () => {
    const user = stringMember(jsonBody(await create({ verify_email: true }), 201), "user_id");
    expect(mails).toMatchObject([{ to: "eve@example.test", template: "verify_email" }]);
    const path = `/api/v2/users/${encodeURIComponent(user)}`;
    expect(
      await service.manage("PATCH", path, { email: "eve@work.test", verify_email: true, client_id: service.web.clientId }),
    ).toMatchObject({
      status: 200,
      body: { email_verified: false },
    });
    expect(mails[1]).toMatchObject({ to: "eve@work.test", template: "verify_email" });
    const browser = service.browser();
    // The link in the first mail was for another email address.
    expect(await openLink(browser, linkOf(mails[0]))).toMatchObject({ title: "This link is no longer valid" });
    expect(await submitLinkForm(browser, await openLink(browser, linkOf(mails[1])), { action: "yes" })).toMatchObject({
      title: "Your address is confirmed",
    });
    await service.manage("PATCH", path, { email: "eve@home.test", verify_email: false });
    await create({ email: "mallory@example.test" });
    expect(mails).toHaveLength(2);
  });

  test("is a job, which can be read for a day", async () => {
    const { manage } = service;
    const user = stringMember(jsonBody(await create({}), 201), "user_id");
    const response = await manage("POST", "/api/v2/jobs/verification-email", { user_id: user, client_id: service.web.clientId });
    const job = jsonBody(response, 201);
    expect(job).toMatchObject({ type: "verification_email", status: "completed", id: expect.stringMatching(/^job_/) });
    expect(mails).toMatchObject([{ to: "eve@example.test", template: "verify_email" }]);
    expect(await openLink(service.browser(), linkOf(mails[0]))).toMatchObject({ title: "Did you create this account?" });
    const path = `/api/v2/jobs/${stringMember(job, "id")}`;
    expect(await manage("GET", path)).toMatchObject({ status: 200, body: job });
    expectError(await (await managerOf(service, "other"))("GET", path), 404, "not_found");
    service.clock.advance("25h");
    expectError(await manage("GET", path), 404, "not_found");
  });

  test.each<readonly [string, object, number]>([
    ["a missing user", {}, 400],
    ["an unknown user", { user_id: "auth0|none" }, 404],
    ["an unknown client", { user_id: "USER", client_id: "none" }, 400],
    ["another user's identity", { user_id: "USER", identity: { user_id: "x", provider: "auth0" } }, 400],
    ["an unknown member", { user_id: "USER", email: "eve@example.test" }, 400],
  ])("is rejected for %s", async (_which, body, status) => {
    const sent = JSON.parse(JSON.stringify(body).replace("USER", service.ada.userId)) as object;
    expect((await service.manage("POST", "/api/v2/jobs/verification-email", sent)).status).toBe(status);
    expect(mails).toEqual([]);
  });

  test("is rejected as a job if the host sends no mail, and is omitted when a user is created", async () => {
    const other = await openService();
    expectError(
      await other.manage("POST", "/api/v2/jobs/verification-email", { user_id: other.ada.userId }),
      400,
      "invalid_request",
      "cannot send email",
    );
    const body = { connection: database, email: "eve@example.test", password: "Correct-horse-1", verify_email: true };
    expect(await other.manage("POST", "/api/v2/users", body)).toMatchObject({ status: 201 });
  });
});
