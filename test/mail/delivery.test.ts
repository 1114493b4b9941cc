import { afterEach, expect, test, vi } from "vitest";
import type { Mail, Sms } from "@postern/core";
import { jsonBody } from "../support/api.ts";
import { openMailing } from "../support/mailing.ts";

afterEach(() => {
  vi.useRealTimers();
});

const ada = "ada.lovelace@example.test";
const phone = "+4915112345678";

test("passes a mail to the sender with its plain text, its HTML, the code and the link", async () => {
  const { start, mails } = await openMailing();
  jsonBody(await start(ada));
  expect(mails).toHaveLength(1);
  const [{ code = "", text, html, ...mail }] = mails as [Mail];
  expect(code).toMatch(/^\d{6}$/);
  expect(mail).toMatchObject({ tenantId: "main", template: "login_code", to: ada, subject: "Your code to sign in to Fieldnotes" });
  expect(text).toContain(code);
  expect(html).toContain(code);
  expect(mail).not.toHaveProperty("from");
  expect(mail).not.toHaveProperty("provider");
});

test("passes a text message to the sender with its code", async () => {
  const { start, texts } = await openMailing();
  jsonBody(await start(phone));
  const [{ code = "", ...sms }] = texts as [Sms];
  expect(sms).toEqual({
    tenantId: "main",
    template: "login_code",
    to: phone,
    text: `${code} is your code to sign in to Fieldnotes. Don’t share it.\n\n@id.example.test #${code}`,
  });
});

test("a mail is in the language that the request prefers, or otherwise in the tenant's default language", async () => {
  const { service, start, mails } = await openMailing();
  await service.manage("PATCH", "/api/v2/tenants/settings", { enabled_locales: ["de", "en"], form_of_address: "familiar" });
  service.clock.advance("10s");
  for (const headers of [{}, { "accept-language": "en-GB,de;q=0.5" }, { "accept-language": "fr" }]) await start(ada, {}, headers);
  expect(mails.map(({ subject }) => subject)).toEqual([
    "Dein Code zur Anmeldung bei Fieldnotes",
    "Your code to sign in to Fieldnotes",
    "Dein Code zur Anmeldung bei Fieldnotes",
  ]);
  await start(ada, { authParams: { ui_locales: "en" } });
  expect(mails.at(-1)?.subject).toBe("Your code to sign in to Fieldnotes");
});

const startRequest = (issuer: string, clientId: string): Request =>
  new Request(`${issuer}passwordless/start`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: clientId, connection: "email", email: ada, send: "code" }),
  });

const failures = {
  "rejects with an error that repeats its input": (message: Mail | Sms) =>
    Promise.reject(new Error(`550 <${message.to}> ${message.text} ${message.code} refused`)),
  "throws synchronously": (message: Mail | Sms) => {
    throw new Error(`no route to ${message.to}: ${message.code}`);
  },
};

test.each(Object.entries(failures))("writes an audit event without the code and the recipient if the sender %s", async (_, send) => {
  const { start, logEntries, events } = await openMailing({ mail: { send }, sms: { send } });
  for (const [to, channel, event] of [
    [ada, "email", "mail_failed"],
    [phone, "sms", "sms_failed"],
  ] as const) {
    logEntries.length = 0;
    jsonBody(await start(to));
    const [failed] = await events("fn");
    expect(failed).toMatchObject({ details: { channel, template: "login_code", reason: "failed" } });
    expect(logEntries).toEqual([
      expect.objectContaining({
        level: "warn",
        event,
        template: "login_code",
        tenant_id: "main",
        reason: "failed",
        error: expect.any(String),
      }),
    ]);
    expect(JSON.stringify([logEntries, failed])).not.toMatch(/\b\d{6}\b(?! ms)/);
    expect(JSON.stringify(logEntries)).not.toContain(to);
  }
});

test("writes an audit event after ten seconds if the sender does not respond, without delaying the HTTP response", async () => {
  const hanging = { send: () => new Promise<void>(() => {}) };
  const { service, app, logEntries, events } = await openMailing({ mail: hanging });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const works: Promise<unknown>[] = [];
  const response = await service.postern.fetch(startRequest(service.postern.issuer, app.clientId), {
    waitUntil: (work) => void works.push(work),
  });
  expect(response.status).toBe(200);
  expect(works).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(logEntries).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(works);
  vi.useRealTimers();
  expect(logEntries).toMatchObject([{ event: "mail_failed", reason: "no-answer" }]);
  expect(await events("fn")).toMatchObject([{ details: { reason: "no-answer" } }]);
});

test("calls the sender after the response, so that the response time does not depend on it", async () => {
  const { service, app, mails } = await openMailing();
  const works: Promise<unknown>[] = [];
  await service.postern.fetch(startRequest(service.postern.issuer, app.clientId), { waitUntil: (work) => void works.push(work) });
  expect(mails).toEqual([]);
  await Promise.all(works);
  expect(mails).toHaveLength(1);
});

test("logs one warning if the host has no sender, and writes an audit event for each mail that is not sent", async () => {
  const { service, logEntries, events } = await openMailing({ mail: undefined });
  const { spa, manage } = service;
  const organization = jsonBody(await manage("POST", "/api/v2/organizations", { name: "acme" }), 201);
  for (const name of ["Ann", "Ben"]) {
    const body = { inviter: { name }, invitee: { email: ada }, client_id: spa.clientId };
    jsonBody(await manage("POST", `/api/v2/organizations/${String(organization["id"])}/invitations`, body), 201);
  }
  expect(logEntries).toMatchObject([{ level: "warn", event: "setup", option: "messages.mail" }]);
  expect(await events("fn")).toMatchObject([{ details: { reason: "no-sender" } }, { details: { reason: "no-sender" } }]);
});

test("runs every step except the delivery for an unknown email address if sign-up is disabled", async () => {
  const { service, start, mails, logEntries, events } = await openMailing();
  await service.manage.create("/api/v2/connections", { name: "known-only", strategy: "email", options: { disable_signup: true } });
  const response = await start("unknown@example.test", { connection: "known-only" });
  jsonBody(response);
  expect(mails).toEqual([]);
  expect(logEntries).toEqual([]);
  expect(await events("fn")).toEqual([]);
});
