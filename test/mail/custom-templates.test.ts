import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody } from "../support/api.ts";
import { randomString } from "../support/flow.ts";
import { openMailing, type MailingService } from "../support/mailing.ts";

let mailing: MailingService;
let to: string;
let connections = 0;
let organizations = 0;
beforeAll(async () => {
  mailing = await openMailing();
});
beforeEach(() => {
  to = `${randomString().toLowerCase()}@example.test`;
  mailing.mails.length = 0;
  mailing.texts.length = 0;
});

const manage = (method: string, path: string, body?: unknown) => mailing.service.manage(method, `/api/v2/${path}`, body);

/** Invites a user to an organization, and returns the invitation mail. */
async function invite(inviter = "Ann"): Promise<(typeof mailing.mails)[number] | undefined> {
  const name = `acme-${++organizations}`;
  const { id } = jsonBody(await manage("POST", "organizations", { name, display_name: "Acme <Inc>" }), 201);
  const body = { inviter: { name: inviter }, invitee: { email: to }, client_id: mailing.app.clientId };
  jsonBody(await manage("POST", `organizations/${String(id)}/invitations`, body), 201);
  return mailing.mails.at(-1);
}

async function setTemplate(more: object): Promise<void> {
  const template = { template: "user_invitation", body: null, subject: null, from: null, syntax: "liquid", enabled: true, ...more };
  if ((await manage("PUT", "email-templates/user_invitation", template)).status === 404)
    jsonBody(await manage("POST", "email-templates", template));
}

describe("a custom template", () => {
  test("can use Auth0's variables, and has every value escaped in HTML", async () => {
    await setTemplate({
      subject: "{{ inviter.name }} for {{ organization.display_name }}",
      body: '<h1>{{ organization.display_name }}</h1><a href="{{ url }}">{{ application.name }}</a> {{ user.email }} {{ tenant }} {{ request_language }}',
      from: "{{ application.name }} <no-reply@example.test>",
    });
    const mail = await invite("Eve <eve@example.test>\r\nBcc: eve@example.test");
    expect(mail?.subject).toBe("Eve <eve@example.test> Bcc: eve@example.test for Acme <Inc>");
    const link = mail?.link?.replaceAll("&", "&amp;") ?? "";
    expect(mail?.html).toBe(`<h1>Acme &lt;Inc&gt;</h1><a href="${link}">Fieldnotes</a> ${to} main en`);
    expect(mail?.from).toBe("Fieldnotes <no-reply@example.test>");
    // The plain text part is always built in.
    expect(mail?.text).toContain(mail?.link);
  });

  test("falls back to the built-in mail for the parts that it omits", async () => {
    await setTemplate({ subject: "Only a subject" });
    const mail = await invite();
    expect(mail?.subject).toBe("Only a subject");
    expect(mail?.html).toContain("<!DOCTYPE html>");
    expect(mail).not.toHaveProperty("from");
  });

  test.each([
    ["loops", "{% for i in (1..100000000) %}x{% endfor %}"],
    ["writes too much", `{% for i in (1..6000) %}${"x".repeat(100)}{% endfor %}`],
  ])("that %s is replaced by the built-in mail, and an audit event is written", async (_, body) => {
    const before = (await mailing.events("wn")).length;
    await setTemplate({ body });
    const mail = await invite();
    expect(mail?.html).toContain("<!DOCTYPE html>");
    const events = await mailing.events("wn");
    expect(events.length).toBe(before + 1);
    expect(events[0]).toMatchObject({ details: { channel: "email", template: "user_invitation" } });
  });

  test("whose sender is not exactly one email address is sent without a sender", async () => {
    for (const from of ["{{ inviter.name }}", "a@example.test, b@example.test", "x"]) {
      await setTemplate({ from });
      expect(await invite("Eve <eve@example.test>, b@example.test")).not.toHaveProperty("from");
    }
  });

  test("that is disabled is replaced by the built-in mail if the mail is required", async () => {
    await setTemplate({ subject: "Off", enabled: false });
    expect((await invite())?.subject).not.toBe("Off");
  });
});

describe("the options of a connection", () => {
  const connection = async (strategy: "email" | "sms", options: object): Promise<string> => {
    const name = `${strategy}-${++connections}`;
    jsonBody(await manage("POST", "connections", { name, strategy, options }), 201);
    return name;
  };

  test("set the mail that contains a login code", async () => {
    const email = {
      subject: "{{ app.name }}: your code",
      body: "{% if send == 'code' %}<b>{{ code }}</b> {{ email }}{% endif %}",
      from: "codes@example.test",
      syntax: "liquid",
    };
    jsonBody(await mailing.start(to, { connection: await connection("email", { email }) }));
    const [mail] = mailing.mails;
    expect(mail).toMatchObject({ subject: "Fieldnotes: your code", html: `<b>${mail?.code ?? ""}</b> ${to}`, from: "codes@example.test" });
  });

  test.each(["Code: {{ code }} for {{ application.name }}", "Code: @@password@@ for Fieldnotes"])(
    "set the text message that contains a login code: %s",
    async (template) => {
      jsonBody(await mailing.start("+4915112345678", { connection: await connection("sms", { template }) }));
      expect(mailing.texts[0]?.text).toBe(`Code: ${mailing.texts[0]?.code ?? ""} for Fieldnotes`);
    },
  );
});

describe("the options of a connection with an invalid template", () => {
  test.each([
    ["email", { email: { body: "{{ code | where_exp: 'i', 'i' }}" } }, /options\.email\.body.*where_exp/],
    ["email", { email: { subject: "{% if %}" } }, /options\.email\.subject/],
    ["email", { email: { from: "{{ a" } }, /options\.email\.from/],
    ["sms", { template: "{% render 'a' %}" }, /options\.template.*render/],
  ])("are rejected: %s %o", async (strategy, options, fault) => {
    const name = `${strategy}-${++connections}`;
    expectError(await manage("POST", "connections", { name, strategy, options }), 400, "invalid_request", fault);
    const { id } = jsonBody(await manage("POST", "connections", { name, strategy }), 201);
    expectError(await manage("PATCH", `connections/${String(id)}`, { options }), 400, "invalid_request", fault);
  });
});

describe("a stored template that is no longer supported or exceeds a limit", () => {
  test.each([
    ["a removed filter", "{{ code | where_exp: 'i', 'i' }}", /where_exp/],
    [
      "a list that doubles",
      `{% assign l = "a,a,a,a,a,a,a,a,a,a" | split: "," %}${"{% assign l = l | concat: l %}".repeat(9)}{{ l | where_exp: "i", "l contains 'b'" }}`,
      /where_exp/,
    ],
    ["a loop over numbers that cannot be counted", "{% for i in (100000000000000000..100000000000000100) %}x{% endfor %}", /range/],
  ])("is replaced by the built-in mail: %s", async (_, body, fault) => {
    await setTemplate({ subject: "Stored" });
    const where = { tenant_id: "main", template: "user_invitation" };
    const settings = { body, subject: null, from: null, syntax: "liquid", enabled: true };
    await mailing.service.data.collections.email_templates.update(where, { set: { settings } });
    const mail = await invite();
    expect(mail?.html).toContain("<!DOCTYPE html>");
    expect((await mailing.events("wn"))[0]).toMatchObject({
      description: expect.stringMatching(fault),
      details: { channel: "email", template: "user_invitation" },
    });
  });
});

test("sends a tenant's invitation before most of another tenant's messages, whose templates exceed the limits", async () => {
  await setTemplate({ subject: "Hostile", body: "{% for i in (1..10000) %}{% for j in (1..10000) %}x{% endfor %}{% endfor %}" });
  const other = await managerOf(mailing.service, "other");
  const { client_id } = jsonBody(
    await other("POST", "/api/v2/clients", { name: "Healthy", initiate_login_uri: "https://app.example.test/" }),
    201,
  );
  const { id } = jsonBody(await other("POST", "/api/v2/organizations", { name: "healthy" }), 201);
  const { id: hostileId } = jsonBody(await manage("POST", "organizations", { name: "hostile" }), 201);
  const invitation = { inviter: { name: "Ann" }, invitee: { email: to } };
  const crowd = Array.from({ length: 10 }, () =>
    manage("POST", `organizations/${String(hostileId)}/invitations`, { ...invitation, client_id: mailing.app.clientId }),
  );
  jsonBody(await other("POST", `/api/v2/organizations/${String(id)}/invitations`, { ...invitation, client_id }), 201);
  await Promise.all(crowd);
  const tenants = mailing.mails.map(({ tenantId }) => tenantId);
  expect(tenants).toHaveLength(11);
  expect(tenants.indexOf("other")).toBeLessThan(5);
});

describe("a tenant's email provider", () => {
  const provider = { name: "smtp", credentials: { smtp_host: "mail.example.test", smtp_user: "u", smtp_pass: "a-secret-password" } };

  test("is passed to the host's sender with each mail, with its sender address", async () => {
    jsonBody(
      await manage("POST", "emails/provider", { ...provider, default_from_address: "Acme <acme@example.test>", settings: { a: 1 } }),
      201,
    );
    jsonBody(await mailing.start(to));
    expect(mailing.mails).toMatchObject([
      { from: "Acme <acme@example.test>", provider: { name: "smtp", credentials: provider.credentials, settings: { a: 1 } } },
    ]);
  });

  test("has the credentials that were set last, and no credentials for a previous provider", async () => {
    const handed = async (change: object): Promise<unknown> => {
      jsonBody(await manage("PATCH", "emails/provider", change));
      jsonBody(await mailing.start(to));
      return mailing.mails.at(-1)?.provider?.credentials;
    };
    const { credentials } = provider;
    expect(await handed({ credentials: { smtp_port: 25, smtp_pass: credentials.smtp_pass } })).toEqual({ ...credentials, smtp_port: 25 });
    expect(await handed({ credentials: { smtp_pass: "another-password" } })).toEqual({
      ...credentials,
      smtp_port: 25,
      smtp_pass: "another-password",
    });
    expect(await handed({ credentials: { api_key: "a-key" } })).toMatchObject({ smtp_pass: "another-password", api_key: "a-key" });
    expect(await handed({ name: "ses", credentials: { region: "eu", accessKeyId: "k" } })).toEqual({ region: "eu", accessKeyId: "k" });
    expect(await handed({ name: "custom" })).toEqual({});
  });

  test("that is disabled sends nothing, and an audit event is written for each mail", async () => {
    jsonBody(await manage("PATCH", "emails/provider", { enabled: false }));
    jsonBody(await mailing.start(to));
    expect(mailing.mails).toEqual([]);
    expect((await mailing.events("fn"))[0]).toMatchObject({ details: { reason: "provider-off" } });
    expect((await manage("DELETE", "emails/provider")).status).toBe(204);
    jsonBody(await mailing.start(to));
    expect(mailing.mails).toHaveLength(1);
  });
});
