import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, managerOf, object, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let manage: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

describe("the e-mail provider", () => {
  const path = "/api/v2/emails/provider";
  const secret = "a-secret-that-nobody-is-shown";
  const body = {
    name: "smtp",
    default_from_address: "Acme <acme@example.test>",
    credentials: { smtp_host: "mail.example.test", smtp_port: 587, smtp_user: "u", smtp_pass: secret },
    settings: { headers: { "X-Tag": "a" } },
  };
  const { smtp_pass: _, ...shown } = body.credentials;
  const reply = { ...body, enabled: true, credentials: shown };

  test("is not there until it is set, and one there is", async () => {
    expectError(await manage("GET", path), 404, "not_found");
    expect(object(await manage("GET", path), 404)).toMatchObject({ errorCode: "inexistent_email_provider" });
    expect(object(await manage("PATCH", path, { enabled: false }), 404)).toMatchObject({ errorCode: "inexistent_email_provider" });
    expect(await manage.create(path, body)).toEqual(reply);
    expect(object(await manage("GET", path))).toEqual(reply);
    expect(object(await manage("GET", `${path}?fields=name,enabled`))).toEqual({ name: "smtp", enabled: true });
    expectError(await manage("POST", path, body), 409, "conflict");
    expect((await manage("DELETE", path)).status).toBe(204);
    expect((await manage("DELETE", path)).status).toBe(204);
    expect((await manage("GET", path)).status).toBe(404);
  });

  test("keeps what is not sent, unless it is another provider", async () => {
    await manage.create(path, body);
    expect(object(await manage("PATCH", path, { credentials: { smtp_user: "w" }, settings: null }))).toEqual({
      name: "smtp",
      enabled: true,
      default_from_address: body.default_from_address,
      credentials: { ...shown, smtp_user: "w" },
    });
    const another = { name: "ses", credentials: { region: "eu", accessKeyId: "k" } };
    expect(object(await manage("PATCH", path, another))).toMatchObject({ name: "ses", credentials: { region: "eu" } });
  });

  test("no reply, no audit event and no record shows its secret", async () => {
    const answers = [
      await manage("POST", path, body),
      await manage("GET", path),
      await manage("PATCH", path, { credentials: { smtp_pass: secret } }),
      await manage("GET", "/api/v2/logs?per_page=100"),
    ];
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(await auditEvents(manage, "sapi")).not.toEqual([]);
    const rows = await service.data.collections.email_providers.find({ where: { tenant_id: "main", id: "provider" }, limit: 1 });
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test.each([
    ["a name that is none", { name: "pigeon" }, "name"],
    ["no credentials", { credentials: undefined }, "credentials"],
    ["an unknown credential", { credentials: { password: "x" } }, "password"],
    ["a port that is none", { credentials: { smtp_port: 70_000 } }, "smtp_port"],
    ["a sender with a line break", { default_from_address: "a@example.test\r\nBcc: b@example.test" }, "default_from_address"],
    ["two senders", { default_from_address: "a@example.test, b@example.test" }, "default_from_address"],
    ["a sender that is no address", { default_from_address: "Acme" }, "default_from_address"],
    ["settings that are a list", { settings: [] }, "settings"],
    ["an unknown field", { secret: 1 }, "secret"],
  ])("is refused with %s", async (_name, more, says) => {
    expectError(await manage("POST", path, { ...body, ...more }), 400, "invalid_request", says);
    expect((await manage("GET", path)).status).toBe(404);
  });
});

describe("e-mail templates", () => {
  const path = "/api/v2/email-templates";
  const body = { template: "verify_email", body: "<b>{{ url }}</b>", from: "", subject: "Hello", syntax: "liquid", enabled: true };

  test("are not there until they are set", async () => {
    for (const [method, sent] of [["GET"], ["PATCH", {}], ["PUT", body]] as const)
      expect(object(await manage(method, `${path}/verify_email`, sent), 404)).toMatchObject({ errorCode: "inexistent_email_template" });
    expect(object(await manage("POST", path, body))).toEqual(body);
    expectError(await manage("POST", path, body), 409, "conflict");
    expect(object(await manage("GET", `${path}/verify_email`))).toEqual(body);
    expect((await manage("GET", `${path}/welcome_email`)).status).toBe(404);
  });

  test("PATCH changes what is sent, PUT replaces all", async () => {
    await manage("POST", path, { ...body, resultUrl: "https://a.test/", urlLifetimeInSeconds: 60, includeEmailInRedirect: true });
    expect(object(await manage("PATCH", `${path}/verify_email`, { enabled: false, subject: null, resultUrl: null }))).toEqual({
      ...body,
      enabled: false,
      subject: null,
      resultUrl: null,
      urlLifetimeInSeconds: 60,
      includeEmailInRedirect: true,
    });
    expect(object(await manage("PUT", `${path}/verify_email`, body))).toEqual(body);
  });

  test.each([
    ["a name that is none", { template: "nonsense" }, "template"],
    ["no body", { body: undefined }, "body"],
    ["Liquid that cannot be read", { body: "a\n{% if %}" }, /'body' is not valid Liquid: .*line:2/],
    ["a subject that cannot be read", { subject: "{{ a" }, "subject"],
    ["a filter that is not supported", { body: "{{ code | where_exp: 'i', 'i' }}" }, /'body' is not valid Liquid: .*where_exp.*line:1/],
    ["a list of numbers outside of a loop", { body: "{% assign l = (1..9) %}" }, "range"],
    ["a file to include", { body: "{% include 'a' %}" }, "include"],
    ["another language", { syntax: "handlebars" }, "syntax"],
    ["a body that is too long", { body: "x".repeat(102_401) }, "body"],
    ["a lifetime below nothing", { urlLifetimeInSeconds: -1 }, "urlLifetimeInSeconds"],
    ["an unknown field", { html: "x" }, "html"],
  ])("are refused with %s", async (_name, more, says) => {
    expectError(await manage("POST", path, { ...body, ...more }), 400, "invalid_request", says);
  });

  test("a body that names another template than the address is refused", async () => {
    await manage("POST", path, body);
    for (const method of ["PATCH", "PUT"])
      expectError(await manage(method, `${path}/verify_email`, { ...body, template: "welcome_email" }), 400, "invalid_request", "template");
  });

  test("of one tenant are none of another's", async () => {
    await manage("POST", path, body);
    const others = await managerOf(service, "other");
    expect((await others("GET", `${path}/verify_email`)).status).toBe(404);
  });
});
