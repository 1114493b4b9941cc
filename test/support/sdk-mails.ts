import type { ManagementClient } from "auth0";
import { expect } from "vitest";

/** Calls the methods of Auth0's SDK for mail providers and templates. */
export async function callMails(sdk: ManagementClient): Promise<void> {
  const provider = { name: "smtp", default_from_address: "login@example.com" } as const;
  const credentials = { smtp_host: "mail.example.com", smtp_port: 587, smtp_user: "login", smtp_pass: "a secret of the provider" };
  expect(await sdk.emails.provider.create({ ...provider, enabled: true, credentials })).toMatchObject(provider);
  expect(await sdk.emails.provider.update({ enabled: false })).toMatchObject({ ...provider, enabled: false });
  const shown = await sdk.emails.provider.get();
  expect(shown).toMatchObject({ ...provider, enabled: false });
  expect(JSON.stringify(shown)).not.toContain(credentials.smtp_pass);
  await sdk.emails.provider.delete();
  await expect(sdk.emails.provider.get()).rejects.toMatchObject({ statusCode: 404 });

  const template = {
    template: "welcome_email",
    body: "Hello {{ user.email }}",
    subject: "Hello",
    from: "",
    syntax: "liquid",
    enabled: true,
  } as const;
  expect(await sdk.emailTemplates.create(template)).toMatchObject(template);
  expect(await sdk.emailTemplates.update("welcome_email", { subject: "Welcome" })).toMatchObject({ subject: "Welcome" });
  expect(await sdk.emailTemplates.set("welcome_email", template)).toMatchObject(template);
  expect(await sdk.emailTemplates.get("welcome_email")).toMatchObject(template);
}
