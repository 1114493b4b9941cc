import type { DataAdapter } from "@postern/core/adapter";
import { beforeEach, expect, test } from "vitest";
import { openSection, showSections, submitForm } from "../account/page.ts";
import { auditEvents, jsonBody } from "./api.ts";
import { formAction, formFields, openBrowser, type Browser } from "./browser.ts";
import { fakeHasher, login, openService, type LoginService, type TestAccount } from "./flow.ts";
import { openLink } from "./links.ts";
import { codeOf, createOutbox, type Outbox } from "./outbox.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

const many = Array.from({ length: 32 }, (_, i) => i);

/** Adds the tests for parallel changes of an account by its user, through two services on one store, for any store. */
export function testAccountRaces(open: () => Promise<DataAdapter>): void {
  let outbox: Outbox;
  let service: LoginService;
  let second: TestPostern;
  let eve: TestAccount;
  let browser: Browser;
  let number = 0;
  /** Runs before a write that schedules a deletion. */
  let beforeDeletion = async (): Promise<unknown> => undefined;

  beforeEach(async () => {
    if (number === 0) {
      outbox = createOutbox();
      const options = { data: pausedAtDeletions(await open(), () => beforeDeletion()), messages: { mail: outbox.mail } };
      service = await openService(options);
      second = await createTestPostern({ ...options, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
      await showSections(service, { addresses: "shown", deletion: "shown" });
    }
    outbox.sent.length = 0;
    eve = await service.addUser(`eve-${number++}@example.test`);
    browser = service.browser();
    await login(browser, service.web, eve);
  });

  /** Opens another browser with the same cookies, at one of the two services. */
  const through = (i: number): Browser => openBrowser((i % 2 === 0 ? service : second).postern, browser.cookies);
  const eventsOf = async (type: string): Promise<number> =>
    (await auditEvents(service.manage, type)).filter((event) => event["user_id"] === eve.userId).length;

  /** Changes the email address. @returns a function that uses the link in the mail about it, at one of the two services. */
  async function reportedChange(): Promise<(at: number) => Promise<Response>> {
    const email = `other-${eve.email}`;
    const form = await openSection(browser, "addresses", { view: "email" });
    const { location } = await submitForm(browser, form, { action: "send-email-code", email });
    const code = codeOf(outbox.take(email));
    await submitForm(browser, await openLink(browser, location?.href ?? ""), { action: "confirm-address", code });
    const [, ticket = ""] = /undo-factor-change\?ticket=([\w.%-]+)/.exec(outbox.take(eve.email).text) ?? [];
    expect(ticket).not.toBe("");
    return (at) => through(at).post("/u/undo-factor-change", { form: { ticket: decodeURIComponent(ticket), action: "protect" } });
  }

  test("writes a new email address once for thirty-two parallel confirmations, and reports it once", async () => {
    const email = `new-${eve.email}`;
    const { location } = await submitForm(browser, await openSection(browser, "addresses", { view: "email" }), {
      action: "send-email-code",
      email,
    });
    const page = await openLink(browser, location?.href ?? "");
    const form = { ...formFields(page.html), action: "confirm-address", code: codeOf(outbox.take(email)) };
    const replies = await Promise.all(many.map((i) => through(i).post(formAction(page.html) ?? "", { form })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`))).toMatchObject({ email });
    expect(await eventsOf("sce")).toBe(1);
    expect(outbox.sent.filter(({ template }) => template === "email_changed")).toHaveLength(1);
  });

  test("schedules a deletion once for thirty-two parallel requests", async () => {
    const page = await openSection(browser, "deletion", { view: "confirm" });
    await Promise.all(many.map((i) => submitForm(through(i), page, { action: "delete-account" })));
    expect(await eventsOf("my_account_deletion_requested")).toBe(1);
    expect(outbox.sent.filter(({ template }) => template === "account_deletion")).toHaveLength(1);
  });

  test("never leaves a frozen account with a pending deletion, if the link of a mail and requests for deletion are parallel", async () => {
    const where = { tenant_id: "main", user_id: eve.userId };
    const protect = await reportedChange();
    const page = await openSection(browser, "deletion", { view: "confirm" });
    await Promise.all(
      many.map(async (i) => {
        // The requests begin before, with and after the link.
        if (i % 4 === 2) await new Promise((resolve) => setTimeout(resolve, i));
        return i % 8 === 3 ? protect(i >> 3) : submitForm(through(i), page, { action: "delete-account" });
      }),
    );
    const [user] = await service.data.collections.users.find({ where, limit: 1 });
    expect(user).toMatchObject({ deletes_at: null, deletion_step_at: null, password_frozen_until: user?.["factors_frozen_until"] });
    expect(user?.["factors_frozen_until"]).toBeGreaterThan(service.clock.now());
    expect(await service.data.collections.sessions.count({ ...where, revoked_at: null })).toBe(0);
    const [requested, withdrawn] = [await eventsOf("my_account_deletion_requested"), await eventsOf("my_account_deletion_withdrawn")];
    expect(requested).toBeLessThanOrEqual(withdrawn);
    expect(withdrawn).toBeLessThanOrEqual(1);
    service.clock.advance("20d");
    await Promise.all([service.postern.jobs.sweep(), second.postern.jobs.sweep()]);
    expect((await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`)).status).toBe(200);
  });

  test("schedules no deletion if the account was frozen after the request was allowed", async () => {
    const protect = await reportedChange();
    const page = await openSection(browser, "deletion", { view: "confirm" });
    let calls = 0;
    beforeDeletion = async () => (calls++ === 0 ? protect(1) : undefined);
    await submitForm(browser, page, { action: "delete-account" });
    beforeDeletion = async () => undefined;
    expect(calls).toBeGreaterThan(0);
    const [user] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: eve.userId }, limit: 1 });
    expect(user).toMatchObject({ deletes_at: null, deletion_step_at: null });
    expect(user?.["factors_frozen_until"]).toBeGreaterThan(service.clock.now());
    expect(await eventsOf("my_account_deletion_requested")).toBe(0);
    expect(outbox.sent.filter(({ template }) => template === "account_deletion")).toEqual([]);
  });

  test("deletes an account once, at its time, for parallel sweeps of two services", async () => {
    const page = await openSection(browser, "deletion", { view: "confirm" });
    await submitForm(browser, page, { action: "delete-account" });
    service.clock.advance("13d");
    service.clock.advance("1s");
    await Promise.all([service, second, service].map(({ postern }) => postern.jobs.sweep()));
    service.clock.advance("1d");
    await Promise.all([service, second, service].map(({ postern }) => postern.jobs.sweep()));
    expect((await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`)).status).toBe(404);
    expect(await eventsOf("sdu")).toBe(1);
    expect(outbox.sent.filter(({ template, to }) => template === "account_deletion_reminder" && to === eve.email)).toHaveLength(1);
  });
}

/** An adapter that awaits a function before each write that schedules the deletion of a user. */
function pausedAtDeletions(data: DataAdapter, before: () => Promise<unknown>): DataAdapter {
  const { users } = data.collections;
  const paused: typeof users = {
    ...(users.filters !== undefined && { filters: users.filters }),
    find: (query) => users.find(query),
    count: (where, filter) => users.count(where, filter),
    insert: (rows) => users.insert(rows),
    delete: (where) => users.delete(where),
    update: async (where, change) => {
      if (typeof change.set?.deletes_at === "number") await before();
      return users.update(where, change);
    },
  };
  return { ...data, collections: { ...data.collections, users: paused } };
}
