import { expect, test } from "vitest";
import { createInbox } from "../../examples/standalone/src/inbox.ts";
import { createLog, type LogOutput } from "../../examples/standalone/src/log.ts";
import { inboxPage } from "../../examples/standalone/src/pages/inbox.ts";

const ready = {
  url: "http://localhost:3000/",
  issuer: "http://localhost:3000/",
  tenant_id: "main",
  management_client: { client_id: "a", client_secret: "b" },
  spa_client: { client_id: "c" },
  web_client: { client_id: "d", client_secret: "e" },
  user: { email: "f@example.com", password: "g" },
};
const mail = {
  tenantId: "main",
  to: "ada@example.com",
  template: "login_code",
  subject: "<Your> code",
  text: "It is 123456 & more.",
  html: "<p>It is 123456</p>",
  code: "123456",
  link: "javascript:alert(1)",
};

/** Collects the written text. */
function memory(): LogOutput & { lines(): string[] } {
  let text = "";
  return {
    write: (part, done) => {
      text += part;
      done();
    },
    lines: () => text.trim().split("\n"),
  };
}

function logTo(format: "json" | "pretty") {
  const [out, errors] = [memory(), memory()];
  return { out, errors, log: createLog(format, out, errors, (_, text) => text) };
}

test("the ready line is the first line of output, and errors go to standard error", async () => {
  const { out, errors, log } = logTo("json");
  log.log({ level: "info", event: "request", method: "PATCH" });
  log.log({ level: "error", event: "fault", error: new Error("broken", { cause: new Error("disk") }) });
  log.ready(ready, { inbox: true, secretLocation: undefined });
  await log.flush();
  expect(out.lines().map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(["ready", "request"]);
  expect(JSON.parse(out.lines()[0] ?? "")).toEqual({ event: "ready", ...ready });
  expect(errors.lines()).toHaveLength(1);
  expect(JSON.parse(errors.lines()[0] ?? "")).toMatchObject({
    event: "fault",
    error: { message: "broken", cause: { message: "disk" } },
  });
});

test("each email is one line of JSON and is in the inbox", async () => {
  const { out, log } = logTo("json");
  const inbox = createInbox((message) => log.message(message));
  log.ready(ready, { inbox: true, secretLocation: undefined });
  await inbox.mail.send(mail);
  await inbox.mail.send({ ...mail, to: "bob@example.com", text: "one\ntwo" });
  await log.flush();
  const { tenantId: _tenant, html: _html, ...shown } = mail;
  expect(
    out
      .lines()
      .slice(1)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { event: "message", channel: "email", ...shown },
    { event: "message", channel: "email", ...shown, to: "bob@example.com", text: "one\ntwo" },
  ]);
  expect(inbox.list().map(({ to }) => to)).toEqual(["bob@example.com", mail.to]);

  const page = inboxPage(inbox.list(), inbox.version(), "/")("nonce");
  expect(page).toContain("&#60;Your&#62; code");
  expect(page).toContain("&#38; more");
  expect(page).not.toContain('href="javascript:');
});

test("a text message is one line of JSON and is in the inbox", async () => {
  const { out, log } = logTo("json");
  const inbox = createInbox((message) => log.message(message));
  log.ready(ready, { inbox: true, secretLocation: undefined });
  const sms = { template: "login_code", to: "+4915112345678", text: "123456 is your code", code: "123456" };
  await inbox.sms.send({ tenantId: "main", ...sms });
  await log.flush();
  expect(JSON.parse(out.lines()[1] ?? "")).toEqual({ event: "message", channel: "sms", subject: "", ...sms });
  expect(inboxPage(inbox.list(), inbox.version(), "/")("nonce")).toContain("Text message");
});

test("a call is one line of JSON, is in the inbox, and the pretty format names it", async () => {
  const call = { template: "mfa_oob_code", to: "+4915112345678", text: "Your code is 1, 2, 3, 4, 5, 6.", code: "123456" };
  const { out, log } = logTo("json");
  const inbox = createInbox((message) => log.message(message));
  log.ready(ready, { inbox: true, secretLocation: undefined });
  await inbox.sms.call({ tenantId: "main", language: "en", ...call });
  await log.flush();
  expect(JSON.parse(out.lines()[1] ?? "")).toEqual({ event: "message", channel: "voice", subject: "", ...call });
  const page = inboxPage(inbox.list(), inbox.version(), "/")("nonce");
  expect(page).toContain("<bdi>Call</bdi>");
  expect(page).toContain('class="code">123456<');

  const { out: terminal, log: pretty } = logTo("pretty");
  pretty.ready(ready, { inbox: true, secretLocation: undefined });
  pretty.message({ channel: "voice", subject: "", ...call });
  await pretty.flush();
  expect(terminal.lines().slice(-2)).toEqual(["☎ Call to +4915112345678", "    Code: 123456"]);
});

test("the pretty format prints the code and the link in a message", async () => {
  const { out, log } = logTo("pretty");
  log.ready(ready, { inbox: true, secretLocation: undefined });
  log.message({ channel: "email", ...mail, link: "https://example.com/x" });
  await log.flush();
  expect(out.lines().slice(-3)).toEqual(["✉ Email to ada@example.com: <Your> code", "    Code: 123456", "    Link: https://example.com/x"]);
});

test("a poll of an unchanged inbox is logged in the JSON format and not in the pretty format", async () => {
  for (const [format, count] of [
    ["json", 2],
    ["pretty", 1],
  ] as const) {
    const { out, log } = logTo(format);
    log.ready(ready, { inbox: true, secretLocation: undefined });
    for (const status of [304, 200])
      log.log({ level: "info", event: "request", method: "GET", path: "/dev/inbox", status, duration_ms: 1 });
    await log.flush();
    expect(out.lines().filter((line) => line.includes("/dev/inbox") && line.includes("GET"))).toHaveLength(count);
  }
});
