import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let manage: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

describe("the email provider", () => {
  const path = "/api/v2/emails/provider";
  const secret = "a-secret-that-is-never-shown";
  const body = {
    name: "smtp",
    default_from_address: "Acme <acme@example.test>",
    credentials: { smtp_host: "mail.example.test", smtp_port: 587, smtp_user: "u", smtp_pass: secret },
    settings: { headers: { "X-Tag": "a" } },
  };
  const { smtp_pass: _, ...shown } = body.credentials;
  const reply = { ...body, enabled: true, credentials: shown };

  test("responds with 404 until it is created, and with a conflict if it exists", async () => {
    expectError(await manage("GET", path), 404, "not_found");
    expect(jsonBody(await manage("GET", path), 404)).toMatchObject({ errorCode: "inexistent_email_provider" });
    expect(jsonBody(await manage("PATCH", path, { enabled: false }), 404)).toMatchObject({ errorCode: "inexistent_email_provider" });
    expect(await manage.create(path, body)).toEqual(reply);
    expect(jsonBody(await manage("GET", path))).toEqual(reply);
    expect(jsonBody(await manage("GET", `${path}?fields=name,enabled`))).toEqual({ name: "smtp", enabled: true });
    expectError(await manage("POST", path, body), 409, "conflict");
    expect((await manage("DELETE", path)).status).toBe(204);
    expect((await manage("DELETE", path)).status).toBe(204);
    expect((await manage("GET", path)).status).toBe(404);
  });

  test("keeps the fields that a PATCH does not contain, unless the provider changes", async () => {
    await manage.create(path, body);
    expect(jsonBody(await manage("PATCH", path, { credentials: { smtp_user: "w" }, settings: null }))).toEqual({
      name: "smtp",
      enabled: true,
      default_from_address: body.default_from_address,
      credentials: { ...shown, smtp_user: "w" },
    });
    const another = { name: "ses", credentials: { region: "eu", accessKeyId: "k" } };
    expect(jsonBody(await manage("PATCH", path, another))).toMatchObject({ name: "ses", credentials: { region: "eu" } });
  });

  test("has its secret in no response, audit event or stored row", async () => {
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
    ["an unknown name", { name: "pigeon" }, "name"],
    ["no credentials", { credentials: undefined }, "credentials"],
    ["an unknown credential", { credentials: { password: "x" } }, "password"],
    ["an invalid port", { credentials: { smtp_port: 70_000 } }, "smtp_port"],
    ["a sender with a line break", { default_from_address: "a@example.test\r\nBcc: b@example.test" }, "default_from_address"],
    ["two senders", { default_from_address: "a@example.test, b@example.test" }, "default_from_address"],
    ["a sender without an address", { default_from_address: "Acme" }, "default_from_address"],
    ["settings that are a list", { settings: [] }, "settings"],
    ["an unknown field", { secret: 1 }, "secret"],
  ])("is rejected with %s", async (_name, more, error) => {
    expectError(await manage("POST", path, { ...body, ...more }), 400, "invalid_request", error);
    expect((await manage("GET", path)).status).toBe(404);
  });
});

describe("email templates", () => {
  const path = "/api/v2/email-templates";
  const body = { template: "verify_email", body: "<b>{{ url }}</b>", from: "", subject: "Hello", syntax: "liquid", enabled: true };

  test("respond with 404 until they are created", async () => {
    for (const [method, sent] of [["GET"], ["PATCH", {}], ["PUT", body]] as const)
      expect(jsonBody(await manage(method, `${path}/verify_email`, sent), 404)).toMatchObject({ errorCode: "inexistent_email_template" });
    expect(jsonBody(await manage("POST", path, body))).toEqual(body);
    expectError(await manage("POST", path, body), 409, "conflict");
    expect(jsonBody(await manage("GET", `${path}/verify_email`))).toEqual(body);
    expect((await manage("GET", `${path}/welcome_email`)).status).toBe(404);
  });

  test("are merged by PATCH and replaced by PUT", async () => {
    await manage("POST", path, { ...body, resultUrl: "https://a.test/", urlLifetimeInSeconds: 60, includeEmailInRedirect: true });
    expect(jsonBody(await manage("PATCH", `${path}/verify_email`, { enabled: false, subject: null, resultUrl: null }))).toEqual({
      ...body,
      enabled: false,
      subject: null,
      resultUrl: null,
      urlLifetimeInSeconds: 60,
      includeEmailInRedirect: true,
    });
    expect(jsonBody(await manage("PUT", `${path}/verify_email`, body))).toEqual(body);
  });

  test.each([
    ["an unknown name", { template: "nonsense" }, "template"],
    ["no body", { body: undefined }, "body"],
    ["invalid Liquid", { body: "a\n{% if %}" }, /'body' is not valid Liquid: .*line:2/],
    ["a subject with invalid Liquid", { subject: "{{ a" }, "subject"],
    ["a filter that is not supported", { body: "{{ code | where_exp: 'i', 'i' }}" }, /'body' is not valid Liquid: .*where_exp.*line:1/],
    ["a range outside a loop", { body: "{% assign l = (1..9) %}" }, "range"],
    ["a file to include", { body: "{% include 'a' %}" }, "include"],
    ["another language", { syntax: "handlebars" }, "syntax"],
    ["a body that is too long", { body: "x".repeat(102_401) }, "body"],
    ["a negative lifetime", { urlLifetimeInSeconds: -1 }, "urlLifetimeInSeconds"],
    ["an unknown field", { html: "x" }, "html"],
  ])("are rejected with %s", async (_name, more, error) => {
    expectError(await manage("POST", path, { ...body, ...more }), 400, "invalid_request", error);
  });

  test("are rejected if the body names another template than the path", async () => {
    await manage("POST", path, body);
    for (const method of ["PATCH", "PUT"])
      expectError(await manage(method, `${path}/verify_email`, { ...body, template: "welcome_email" }), 400, "invalid_request", "template");
  });

  test("of another tenant are not visible", async () => {
    await manage("POST", path, body);
    const other = await managerOf(service, "other");
    expect((await other("GET", `${path}/verify_email`)).status).toBe(404);
  });
});
