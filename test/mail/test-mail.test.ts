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

test("a test mail that fails returns the error of the sender, without its credentials", async () => {
  const mailing = await openMailing({
    mail: { send: async ({ provider: given }) => Promise.reject(new Error(`535 wrong password ${JSON.stringify(given?.credentials)}`)) },
  });
  const { service, events } = mailing;
  const token = await tokenOfAda(mailing, ["update:email_provider"]);
  await service.manage("POST", "/api/v2/emails/provider", provider);
  const result = jsonBody(await service.call("POST", path, { token }));
  expect(result).toMatchObject({ success: false, message: expect.stringContaining("535 wrong password") });
  expect(JSON.stringify(result)).not.toContain("the-secret");
  expect(await events("fn")).toEqual([expect.objectContaining({ details: expect.objectContaining({ template: "test_email" }) })]);
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
