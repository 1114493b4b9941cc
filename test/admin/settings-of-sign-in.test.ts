import type { Mail } from "@postern/core";
import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, list } from "../support/api.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
let browser: ConsoleBrowser;
let mails: Mail[];
let sendMail: (mail: Mail) => Promise<void>;
beforeEach(async () => {
  mails = [];
  sendMail = async (mail) => void mails.push(mail);
  opened = await openConsole({}, { messages: { mail: { send: (mail) => sendMail(mail) } } });
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string | null => response.headers.get("location");
const manage = (method: string, path: string, body?: unknown) => opened.service.manage(method, `/api/v2/${path}`, body);

describe("second factors", () => {
  const factors = async () =>
    list(await manage("GET", "guardian/factors"))
      .filter((one) => one["enabled"] === true)
      .map((one) => one["name"]);

  test("are turned on and off, and a second click changes nothing", async () => {
    expect(await browser.page("settings/factors")).toContain("Turn on Authenticator app");
    for (let i = 0; i < 2; i++) expect(location(await browser.submit("settings/factors/otp/on", {}))).toContain("done=saved");
    expect(await factors()).toEqual(["otp"]);
    expect(await browser.page("settings/factors")).toContain("Turn off Authenticator app");
    await browser.submit("settings/factors/otp/off", {});
    expect(await factors()).toEqual([]);
    for (const name of ["unknown", "constructor", ".."]) await browser.page(`settings/factors/${name}/on`, 404);
    expect((await browser.submit("settings/factors/duo/on", {})).status).toBe(400);
  });

  test("are required by a policy", async () => {
    const path = "settings/factors/policy";
    expect(location(await browser.submit(path, { before_policy: "none", policy: "all-applications" }))).toContain("done=saved");
    expect((await manage("GET", "guardian/policies")).body).toEqual(["all-applications"]);
    expect(await browser.page("settings/factors")).toContain("At each sign-in");
    await browser.submit(path, { before_policy: "all-applications", policy: "none" });
    expect((await manage("GET", "guardian/policies")).body).toEqual([]);
    expect((await browser.submit(path, { before_policy: "none", policy: "never" })).status).toBe(400);
  });

  test("have kinds of messages to phones, of which the form changes only what differs", async () => {
    await manage("PUT", "guardian/factors/phone/message-types", { message_types: ["sms"] });
    // The operator saw no message type. The other change stays.
    await browser.submit("settings/factors/phone", { before_sms: "false", before_voice: "false", voice: "true" });
    expect(jsonBody(await manage("GET", "guardian/factors/phone/message-types"))["message_types"]).toEqual(["sms", "voice"]);
  });

  test("are skipped in remembered browsers", async () => {
    const before = { before_display_remember_me_checkbox: "true", display_remember_me_checkbox: "true" };
    const idle = { before_mfa_session_inactivity_timeout: "604800", mfa_session_inactivity_timeout: "7200" };
    await browser.submit("settings/factors/remember", { ...before, ...idle });
    expect(jsonBody(await manage("GET", "guardian/settings"))).toMatchObject({
      display_remember_me_checkbox: true,
      mfa_session_inactivity_timeout: 7200,
      mfa_session_overall_timeout: 2_592_000,
    });
    const invalid = await browser.submit("settings/factors/remember", { ...before, ...idle, mfa_session_inactivity_timeout: "1" });
    expect([invalid.status, (await invalid.text()).includes('value="1"')]).toEqual([400, true]);
  });
});

describe("email", () => {
  const fields = { "credentials.smtp_host": "mail.example.test", "credentials.smtp_port": "587", "credentials.smtp_pass": "the-secret" };
  const create = () =>
    browser.submit("settings/mail/new/smtp", { enabled: "true", default_from_address: "Acme <login@example.test>", ...fields });

  test("is sent with a provider whose secrets are never shown", async () => {
    expect(await browser.page("settings/mail")).toContain("No email provider");
    expect(location(await create())).toContain("done=provider-created");
    expect(jsonBody(await manage("GET", "emails/provider"))).toEqual({
      name: "smtp",
      enabled: true,
      default_from_address: "Acme <login@example.test>",
      credentials: { smtp_host: "mail.example.test", smtp_port: 587 },
    });
    for (const path of ["settings/mail", "settings/mail/edit"]) {
      const html = await browser.page(path);
      expect([html.includes("mail.example.test"), html.includes("the-secret")]).toEqual([true, false]);
    }
    const again = await create();
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining("already has an email provider")]);
    await browser.page("settings/mail/new/constructor", 404);
  });

  test("keeps stored secrets when other settings change, and requires them for another server", async () => {
    await create();
    const before = { before_enabled: "true", enabled: "true", "before_credentials.smtp_port": "587", "credentials.smtp_port": "587" };
    const from = { before_default_from_address: "Acme <login@example.test>", default_from_address: "new@example.test" };
    const host = { "before_credentials.smtp_host": "mail.example.test", "credentials.smtp_host": "mail.example.test" };
    expect(location(await browser.submit("settings/mail/edit", { ...before, ...from, ...host }))).toContain("done=saved");
    await browser.submit("settings/mail/test", {});
    expect(mails).toEqual([
      expect.objectContaining({
        from: "new@example.test",
        provider: expect.objectContaining({ credentials: expect.objectContaining({ smtp_pass: "the-secret" }) }),
      }),
    ]);
    const cleared = { before_default_from_address: "new@example.test", default_from_address: "" };
    expect(location(await browser.submit("settings/mail/edit", { ...before, ...cleared, ...host }))).toContain("done=saved");
    expect(jsonBody(await manage("GET", "emails/provider"))).not.toHaveProperty("default_from_address");
    const moved = await browser.submit("settings/mail/edit", { ...host, "credentials.smtp_host": "evil.example.test" });
    expect([moved.status, await moved.text()]).toEqual([400, expect.stringContaining("smtp_pass")]);
    expect(location(await browser.submit("settings/mail/delete", {}))).toContain("done=provider-deleted");
    await browser.page("settings/mail/delete", 404);
  });

  test("is tested with a message to the operator, and the error of the sender is shown as text", async () => {
    expect(await browser.page("settings/mail/test")).toContain("root@example.test");
    const sent = await browser.submit("settings/mail/test", { to: "victim@example.test" });
    expect(await sent.text()).toContain("The email to root@example.test was accepted.");
    expect(mails.map(({ to }) => to)).toEqual(["root@example.test"]);
    sendMail = () => Promise.reject(Object.assign(new Error("535 from 10.0.0.7"), { publicMessage: "535 <script>alert(1)</script>" }));
    const failed = await (await browser.submit("settings/mail/test", {})).text();
    expect(failed).toContain("535 &lt;script>");
    expect(failed).not.toMatch(/<script>alert|10\.0\.0\.7/);
  });

  test("has templates, which are created by the first change", async () => {
    const path = "settings/mail/templates/welcome_email";
    expect(await browser.page(path)).toContain("Users receive the built-in email, until you save a template.");
    const shown = { before_enabled: "false", before_subject: "", before_from: "", before_body: "" };
    const written = { enabled: "true", subject: "Hello {{ user.email }}", from: "", body: "<p>Hello</p>\r\n<p>World</p>" };
    expect(location(await browser.submit(path, { ...shown, ...written }))).toContain("done=saved");
    const stored = { template: "welcome_email", syntax: "liquid", enabled: true, subject: "Hello {{ user.email }}" };
    expect(jsonBody(await manage("GET", "email-templates/welcome_email"))).toMatchObject({ ...stored, body: "<p>Hello</p>\n<p>World</p>" });
    expect(await browser.page(path)).toContain("&lt;p>Hello&lt;/p>");
    await browser.submit(path, { before_enabled: "true", before_subject: "Hello {{ user.email }}", enabled: "true", subject: "Hi" });
    expect(jsonBody(await manage("GET", "email-templates/welcome_email"))).toMatchObject({
      subject: "Hi",
      body: "<p>Hello</p>\n<p>World</p>",
    });
    const broken = await browser.submit(path, { before_enabled: "true", enabled: "true", subject: "{% include 'a' %}" });
    expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining("is not valid Liquid")]);
    await browser.page("settings/mail/templates/unknown", 404);
  });
});

describe("the branding", () => {
  const before = { "before_colors.primary": "", before_logo_url: "", "before_font.url": "" };

  test("is changed, and a setting is removed by an empty field", async () => {
    const path = "settings/branding/edit";
    const logo = "https://cdn.example.test/logo.svg";
    expect(location(await browser.submit(path, { ...before, "colors.primary": "#0b6e4f", logo_url: logo }))).toContain("done=saved");
    expect(jsonBody(await manage("GET", "branding"))).toMatchObject({ colors: { primary: "#0b6e4f" }, logo_url: logo });
    await browser.submit(path, { "before_colors.primary": "#0b6e4f", "colors.primary": "#0b6e4f", before_logo_url: logo, logo_url: "" });
    expect(jsonBody(await manage("GET", "branding"))).toEqual({ colors: expect.objectContaining({ primary: "#0b6e4f" }) });
    expect(await browser.page("settings/branding")).toContain("#0b6e4f");
    const gradient = { type: "linear-gradient", start: "#000000", end: "#ffffff", angle_deg: 90 };
    await manage("PATCH", "branding", { colors: { page_background: gradient } });
    expect(await browser.page("settings/branding")).toContain("Gradient");
    const kept = { "before_colors.primary": "#0b6e4f", "colors.primary": "#7a1fa2", "before_colors.page_background": "" };
    await browser.submit(path, { ...kept, "colors.page_background": "" });
    expect(jsonBody(await manage("GET", "branding"))).toMatchObject({ colors: { primary: "#7a1fa2", page_background: gradient } });
    const rejected = await browser.submit(path, { ...before, "colors.primary": "green" });
    expect([rejected.status, (await rejected.text()).includes('value="green"')]).toEqual([400, true]);
  });

  test("is previewed without saving, in a document without forms, links and scripts that only the console can frame", async () => {
    const stored = jsonBody(await manage("GET", "branding"));
    const html = await browser.page("settings/branding/edit");
    expect(html).toMatch(/<iframe [^>]*\bsandbox(=""|>| )/);
    expect(html).toContain('formaction="/admin/settings/branding/preview" formtarget="preview"');
    const preview = await browser.submit("settings/branding/edit", {});
    expect(preview.status).toBe(303);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const send = (fields: { readonly [name: string]: string }) =>
      browser.send("settings/branding/preview", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ form_token: token, ...before, ...fields }).toString(),
      });
    const drawn = await send({ "colors.primary": "#0b6e4f", logo_url: "https://cdn.example.test/a.svg" });
    const text = await drawn.text();
    expect([drawn.status, text.includes("#0b6e4f"), text.includes("https://cdn.example.test/a.svg")]).toEqual([200, true, true]);
    expect(text).not.toMatch(/<(form|a|script|iframe)\b|\son\w+=/);
    expect(drawn.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'.*frame-ancestors 'self'$/);
    expect(jsonBody(await manage("GET", "branding"))).toEqual(stored);
    const rejected = await send({ logo_url: "javascript:alert(1)" });
    expect([rejected.status, rejected.headers.get("content-type")]).toEqual([400, "text/plain; charset=utf-8"]);
    const forged = await browser.send("settings/branding/preview", { method: "POST", headers: { "sec-fetch-site": "cross-site" } });
    expect(forged.status).toBe(403);
  });
});

test("the settings of sign-in are only shown to an operator who may not change them, and name the missing scopes", async () => {
  await manage("POST", "emails/provider", { name: "custom", credentials: {} });
  const auditor = await opened.signIn(await opened.addOperator("auditor@example.test", ["read:guardian_factors", "read:email_provider"]));
  const factors = await auditor.page("settings/factors");
  expect([factors.includes("Authenticator app"), factors.includes("Turn on"), factors.includes("read:mfa_policies")]).toEqual([
    true,
    false,
    true,
  ]);
  const mail = await auditor.page("settings/mail");
  expect([mail.includes("settings/mail/edit"), mail.includes("settings/mail/test"), mail.includes("read:email_templates")]).toEqual([
    false,
    false,
    true,
  ]);
  for (const [path, fields] of [
    ["settings/factors/otp/on", {}],
    ["settings/factors/policy", { before_policy: "none", policy: "all-applications" }],
    ["settings/branding/edit", { "before_colors.primary": "", "colors.primary": "#000000" }],
    ["settings/branding/preview", {}],
    ["settings/mail/test", {}],
    ["settings/mail/edit", { before_enabled: "true" }],
    ["settings/mail/templates/welcome_email", { before_subject: "", subject: "x" }],
  ] as const)
    expect([path, (await auditor.submit(path, fields)).status]).toEqual([path, 403]);
  const stranger = await opened.signIn(opened.service.bob);
  expect(await stranger.page("settings/mail")).toContain("read:email_provider");
  expect(mails).toEqual([]);
});

test("the settings of sign-in are changed only after a recent sign-in", async () => {
  await manage("POST", "emails/provider", { name: "custom", credentials: {} });
  const paths = [
    "settings/factors/otp/on",
    "settings/factors/otp/off",
    ...["policy", "phone", "remember"].map((form) => `settings/factors/${form}`),
    "settings/branding/edit",
    ...["edit", "delete", "new/smtp", "templates/welcome_email"].map((form) => `settings/mail/${form}`),
  ];
  for (const path of paths) await browser.page(path);
  opened.service.clock.advance("11m");
  for (const path of paths) expect([path, (await browser.send(path)).status]).toEqual([path, 303]);
});
