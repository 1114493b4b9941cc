import { expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { openMailing, type MailingService } from "../support/mailing.ts";
import { managementAudience } from "../support/postern.ts";

const path = "/api/v2/emails/provider/test";

/** Returns a Management API token of Ada, whose only role has these scopes. */
async function tokenOfAda({ service }: MailingService, scopes: readonly string[]): Promise<string> {
  const role = stringMember(await service.manage.create("/api/v2/roles", { name: "Operator" }), "id");
  const permissions = scopes.map((scope) => ({ resource_server_identifier: managementAudience, permission_name: scope }));
  await service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
  await service.manage("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`, { roles: [role] });
  const { clientId } = await service.register({ grant_types: ["password"] });
  await service.data.collections.clients.update({ tenant_id: "main", client_id: clientId }, { set: { may_administer: true } });
  const grant = { grant_type: "password", client_id: clientId, username: service.ada.email, password: service.ada.password };
  const scope = scopes.join(" ");
  return stringMember(jsonBody(await service.exchange({ ...grant, audience: managementAudience, scope })), "access_token");
}

const provider = {
  name: "smtp",
  default_from_address: "login@example.test",
  credentials: { smtp_host: "mail.example.test", smtp_pass: "the-secret" },
};

test("a test mail goes to the address of the operator with the provider of the tenant", async () => {
  const mailing = await openMailing();
  const { service, mails } = mailing;
  const token = await tokenOfAda(mailing, ["update:email_provider"]);
  await service.manage("POST", "/api/v2/emails/provider", provider);
  const body = { to: "victim@example.test" };
  expect(jsonBody(await service.call("POST", path, { token, body }))).toMatchObject({ success: true, to: service.ada.email });
  expect(mails).toEqual([
    expect.objectContaining({
      template: "test_email",
      to: service.ada.email,
      from: "login@example.test",
      subject: "Test email from id.example.test",
      provider: expect.objectContaining({ name: "smtp", credentials: expect.objectContaining({ smtp_pass: "the-secret" }) }),
    }),
  ]);
});

test("a test mail that fails returns the kind of failure, and never the text of the sender's error", async () => {
  let error = new Error();
  const mailing = await openMailing({ mail: { send: async () => Promise.reject(error) } });
  const { service, events, logEntries } = mailing;
  const token = await tokenOfAda(mailing, ["update:email_provider"]);
  await service.manage("POST", "/api/v2/emails/provider", provider);
  const messageOf = async (thrown: Error): Promise<string> => {
    error = thrown;
    const result = jsonBody(await service.call("POST", path, { token }));
    expect(result["success"]).toBe(false);
    return stringMember(result, "message");
  };
  const text = "login ops@mail.internal.test failed: 535 <html>Admin of 10.0.0.7</html>";
  const failed = "A mail was not sent: its sender failed.";
  expect(await messageOf(new Error(text))).toBe(failed);
  expect(await messageOf(Object.assign(new Error(text), { code: "EAUTH", responseCode: 535 }))).toBe(
    `${failed} Reason: the mail server rejected the credentials, SMTP status 535`,
  );
  const cause = Object.assign(new Error(text), { code: "ECONNREFUSED", responseCode: "200 text" });
  expect(await messageOf(new Error("fetch failed", { cause }))).toBe(`${failed} Reason: there is no connection to the mail server`);
  expect(await messageOf(Object.assign(new Error(text), { code: text, responseCode: 7 }))).toBe(failed);
  const shown = "the quota of the provider is used up";
  expect(await messageOf(Object.assign(new Error(text), { publicMessage: shown }))).toBe(`${failed} Reason: ${shown}`);
  expect(logEntries).toContainEqual(expect.objectContaining({ event: "mail_failed", error: expect.stringContaining("10.0.0.7") }));
  const audited = await events("fn");
  expect(audited).toContainEqual(expect.objectContaining({ details: expect.objectContaining({ template: "test_email" }) }));
  expect(JSON.stringify(audited)).not.toContain("10.0.0.7");
  await service.manage("PATCH", "/api/v2/emails/provider", { enabled: false });
  const off = jsonBody(await service.call("POST", path, { token }));
  expect(off).toMatchObject({ success: false, message: "A mail was not sent: the tenant's email provider is disabled." });
});

test("a test mail requires a mail sender, a user's token, its scope and a budget of messages", async () => {
  const without = await openMailing({ mail: undefined });
  const token = await tokenOfAda(without, ["update:email_provider"]);
  expect(jsonBody(await without.service.call("POST", path, { token }))).toMatchObject({ success: false });
  expectError(await without.service.manage("POST", path), 403, "forbidden");

  const mailing = await openMailing();
  const reader = await tokenOfAda(mailing, ["read:email_provider"]);
  expectError(await mailing.service.call("POST", path, { token: reader }), 403, "insufficient_scope");
  const other = await openMailing();
  const allowed = await tokenOfAda(other, ["update:email_provider"]);
  for (let i = 0; i < 10; i++) expect((await other.service.call("POST", path, { token: allowed })).status).toBe(200);
  const refused = await other.service.call("POST", path, { token: allowed });
  expectError(refused, 429, "TOO_MANY_REQUESTS");
  expect(other.mails).toHaveLength(10);
});
