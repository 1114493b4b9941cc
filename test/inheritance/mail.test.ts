import { beforeEach, describe, expect, test } from "vitest";
import type { Mail } from "@postern/core";
import { jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { openInheritance, type InheritanceSetup } from "../support/inheritance.ts";

const provider = {
  name: "smtp",
  default_from_address: "main@example.test",
  credentials: { smtp_host: "smtp.main.test", smtp_port: 587, smtp_user: "main", smtp_pass: "hush-of-main" },
  settings: { headers: { "X-Main": "1" } },
};
const handedOver = {
  name: "smtp",
  credentials: provider.credentials,
  settings: provider.settings,
};
const ownProvider = { name: "sendgrid", default_from_address: "other@example.test", credentials: { api_key: "hush-of-other" } };

let inheritance: InheritanceSetup;
let mails: Mail[];
beforeEach(async () => {
  mails = [];
  inheritance = await openInheritance({ messages: { mail: { send: async (mail) => void mails.push(mail) } } });
});

let number = 0;
/** Sends an invitation in a tenant and returns the email. @returns undefined if no email was sent. */
async function invite(manage: Manager = inheritance.other): Promise<Mail | undefined> {
  mails.length = 0;
  const client = await manage.create("/api/v2/clients", { name: "App", initiate_login_uri: "https://app.example.test/start" });
  const organization = await manage.create("/api/v2/organizations", { name: `acme-${++number}`, display_name: "Acme" });
  const body = { inviter: { name: "Ann" }, invitee: { email: "ann@example.test" }, client_id: client["client_id"] };
  await manage.create(`/api/v2/organizations/${stringMember(organization, "id")}/invitations`, body);
  return mails[0];
}
async function setTemplate(manage: Manager, more: JsonBody): Promise<void> {
  const template = { template: "user_invitation", body: null, subject: null, from: null, syntax: "liquid", enabled: true, ...more };
  jsonBody(await manage("POST", "/api/v2/email-templates", template));
}

describe("the mail provider", () => {
  test("uses the complete mail provider of the control plane for a tenant without one", async () => {
    expect((await invite())?.provider).toBeUndefined();
    await inheritance.main.create("/api/v2/emails/provider", provider);
    const mail = await invite();
    expect(mail).toMatchObject({ tenantId: "other", from: "main@example.test", provider: handedOver });
    jsonBody(
      await inheritance.main("PATCH", "/api/v2/emails/provider", { credentials: { ...provider.credentials, smtp_pass: "hush-changed" } }),
    );
    expect((await invite())?.provider?.credentials).toMatchObject({ smtp_pass: "hush-changed" });
  });

  test("uses only the tenant's own mail provider if it has one, even if that provider is disabled", async () => {
    await inheritance.main.create("/api/v2/emails/provider", provider);
    await inheritance.other.create("/api/v2/emails/provider", ownProvider);
    const mail = await invite();
    expect(mail).toMatchObject({ from: "other@example.test", provider: { name: "sendgrid", credentials: { api_key: "hush-of-other" } } });
    expect(JSON.stringify(mail)).not.toContain("hush-of-main");
    jsonBody(await inheritance.other("PATCH", "/api/v2/emails/provider", { enabled: false }));
    expect(await invite()).toBeUndefined();
    expect(await inheritance.other("DELETE", "/api/v2/emails/provider")).toMatchObject({ status: 204 });
    expect(await invite()).toMatchObject({ provider: handedOver });
  });

  test("sends no mail if the control plane's provider is disabled", async () => {
    await inheritance.main.create("/api/v2/emails/provider", { ...provider, enabled: false });
    expect(await invite()).toBeUndefined();
  });

  test("does not let a tenant read, change, redirect or take over the control plane's mail provider", async () => {
    await inheritance.main.create("/api/v2/emails/provider", provider);
    expect(await inheritance.other("GET", "/api/v2/emails/provider")).toMatchObject({ status: 404 });
    const redirected = { credentials: { smtp_host: "evil.example.test" } };
    expect(await inheritance.other("PATCH", "/api/v2/emails/provider", redirected)).toMatchObject({ status: 404 });
    // The tenant's own provider with another host has only its own credentials.
    const credentials = { smtp_host: "evil.example.test", smtp_port: 25, smtp_user: "x", smtp_pass: "own" };
    await inheritance.other.create("/api/v2/emails/provider", { ...provider, credentials });
    expect(JSON.stringify(await invite())).not.toContain("hush-of-main");
    expect(JSON.stringify(await inheritance.other("GET", "/api/v2/logs?per_page=100"))).not.toContain("hush-of-main");
    expect((await invite(inheritance.main))?.provider).toEqual(handedOver);
  });
});

describe("mail templates", () => {
  test("inherits each mail template separately if the tenant has none", async () => {
    await setTemplate(inheritance.main, { subject: "Of main, for {{ organization.display_name }} of {{ tenant }}" });
    expect((await invite())?.subject).toBe("Of main, for Acme of other");
    expect(await inheritance.other("GET", "/api/v2/email-templates/user_invitation")).toMatchObject({ status: 404 });
    await setTemplate(inheritance.other, { subject: "Of other" });
    expect((await invite())?.subject).toBe("Of other");
    jsonBody(await inheritance.other("PATCH", "/api/v2/email-templates/user_invitation", { enabled: false }));
    expect((await invite())?.subject).not.toMatch("Of ");
  });

  test("uses the sender in a template only if the email is sent through a provider of the same tenant", async () => {
    await setTemplate(inheritance.other, { subject: "Of other", from: "ceo@main.example.test" });
    expect((await invite())?.from).toBe("ceo@main.example.test");
    await inheritance.main.create("/api/v2/emails/provider", provider);
    expect(await invite()).toMatchObject({ subject: "Of other", from: "main@example.test" });
    await inheritance.other.create("/api/v2/emails/provider", ownProvider);
    expect((await invite())?.from).toBe("ceo@main.example.test");
  });

  test("ignores the sender in an inherited template if the tenant has its own mail provider", async () => {
    await setTemplate(inheritance.main, { subject: "Of main", from: "team@main.example.test" });
    expect((await invite())?.from).toBe("team@main.example.test");
    await inheritance.main.create("/api/v2/emails/provider", provider);
    expect((await invite())?.from).toBe("team@main.example.test");
    await inheritance.other.create("/api/v2/emails/provider", ownProvider);
    expect(await invite()).toMatchObject({ subject: "Of main", from: "other@example.test" });
  });
});

test("uses the sender that is set for emails with codes only if the tenant has its own mail provider", async () => {
  const email = { body: "{{ code }}", subject: "Code", from: "ceo@main.example.test", syntax: "liquid" };
  await inheritance.other.create("/api/v2/connections", { name: "email", strategy: "email", options: { email } });
  const { client_id: clientId } = await inheritance.other.create("/api/v2/clients", { name: "App", app_type: "spa" });
  const from = async (): Promise<string | undefined> => {
    const body = { client_id: clientId, connection: "email", email: `p${++number}@example.test`, send: "code" };
    jsonBody(await inheritance.service.call("POST", "/passwordless/start", { body }));
    return mails.at(-1)?.from;
  };
  expect(await from()).toBe("ceo@main.example.test");
  await inheritance.main.create("/api/v2/emails/provider", provider);
  expect(await from()).toBe("main@example.test");
  await inheritance.other.create("/api/v2/emails/provider", ownProvider);
  expect(await from()).toBe("ceo@main.example.test");
});
