import type { ManagementClient } from "auth0";
import { expect } from "vitest";

/** Calls every method of Auth0's SDK for the factors of a tenant and of a user. */
export async function callFactors(sdk: ManagementClient, userId: string): Promise<void> {
  await callTenantFactors(sdk);
  await callPhone(sdk);
  await callPushNotification(sdk);
  await callUserFactors(sdk, userId);
}

async function callTenantFactors({ guardian }: ManagementClient): Promise<void> {
  const { factors, policies } = guardian;
  expect((await factors.list()).map(({ name }) => name)).toContain("webauthn-roaming");
  expect(await factors.set("otp", { enabled: true })).toEqual({ enabled: true });
  expect((await factors.list()).filter(({ enabled }) => enabled).map(({ name }) => name)).toEqual(["otp"]);
  await expect(factors.set("duo", { enabled: true })).rejects.toMatchObject({ statusCode: 400 });
  expect(await policies.set(["confidence-score"])).toEqual(["confidence-score"]);
  expect(await policies.list()).toEqual(["confidence-score"]);
  expect(await policies.set([])).toEqual([]);
  const codes = { otp_length: 8, otp_expiration_time: 600 };
  for (const codeSettings of [factors.email, factors.phone]) {
    expect(await codeSettings.set(codes)).toEqual(codes);
    expect(await codeSettings.get()).toEqual(codes);
  }
  const remembered = {
    display_remember_me_checkbox: true,
    remember_me_default_value: true,
    mfa_session_inactivity_timeout: 3600,
    mfa_session_overall_timeout: 7200,
  };
  expect(await guardian.set(remembered)).toEqual(remembered);
  expect(await guardian.get()).toEqual(remembered);
  const { settings: duo } = factors.duo;
  expect(await duo.set({ ikey: "DI1", skey: "secret" })).toEqual({ ikey: "DI1" });
  expect(await duo.update({ host: "api.duo.example.test", skey: "secret" })).toEqual({ ikey: "DI1", host: "api.duo.example.test" });
  expect(await duo.get()).toEqual({ ikey: "DI1", host: "api.duo.example.test" });
}

async function callPhone({ guardian }: ManagementClient): Promise<void> {
  const { phone, sms } = guardian.factors;
  expect(await phone.setMessageTypes({ message_types: ["sms", "voice"] })).toEqual({ message_types: ["sms", "voice"] });
  expect(await phone.getMessageTypes()).toEqual({ message_types: ["sms", "voice"] });
  for (const [index, names] of [phone, sms].entries()) {
    expect(await names.setTwilioProvider({ sid: `AC${index}`, auth_token: "secret" })).toEqual({ sid: `AC${index}` });
    expect(await names.getTwilioProvider()).toEqual({ sid: `AC${index}` });
    expect(await names.setProvider({ provider: "phone-message-hook" })).toEqual({ provider: "phone-message-hook" });
    expect(await names.getSelectedProvider()).toEqual({ provider: "phone-message-hook" });
    const templates = { enrollment_message: "Add: {{ code }}", verification_message: "Sign in: {{ code }}" };
    expect(await names.setTemplates(templates)).toEqual(templates);
    expect(await names.getTemplates()).toEqual(templates);
  }
}

async function callPushNotification({ guardian }: ManagementClient): Promise<void> {
  const { pushNotification: push } = guardian.factors;
  expect(await push.setProvider({ provider: "direct" })).toEqual({ provider: "direct" });
  expect(await push.getSelectedProvider()).toEqual({ provider: "direct" });
  expect(await push.setApnsProvider({ sandbox: true, bundle_id: "com.example.app" })).toMatchObject({ sandbox: true });
  expect(await push.updateApnsProvider({ p12: "MII" })).toMatchObject({ sandbox: true, bundle_id: "com.example.app" });
  expect(await push.getApnsProvider()).toMatchObject({ bundle_id: "com.example.app", enabled: true });
  for (const reply of [
    await push.setFcmProvider({ server_key: "secret" }),
    await push.updateFcmProvider({ server_key: "secret" }),
    await push.setFcmv1Provider({ server_credentials: "secret" }),
    await push.updateFcmv1Provider({ server_credentials: "secret" }),
  ])
    expect(reply).toEqual({});
  expect(await push.setSnsProvider({ aws_region: "eu-north-1", aws_secret_access_key: "secret" })).toEqual({ aws_region: "eu-north-1" });
  expect(await push.updateSnsProvider({ aws_region: "eu-west-1" })).toEqual({ aws_region: "eu-west-1" });
  expect(await push.getSnsProvider()).toEqual({ aws_region: "eu-west-1" });
}

async function callUserFactors({ guardian, users }: ManagementClient, userId: string): Promise<void> {
  const { authenticationMethods: methods, multifactor } = users;
  expect((await guardian.enrollments.createTicket({ user_id: userId })).ticket_url).toContain("/guardian/enroll?ticket=");
  const { id = "" } = await methods.create(userId, { type: "phone", phone_number: "+15555550100", name: "Work" });
  expect(await methods.get(userId, id)).toMatchObject({ type: "phone", phone_number: "+15555550100", confirmed: true });
  expect(await methods.update(userId, id, { preferred_authentication_method: "voice" })).toMatchObject({
    preferred_authentication_method: "voice",
  });
  const listed: (string | undefined)[] = [];
  for await (const method of await methods.list(userId, { per_page: 1 })) listed.push(method.id);
  expect(listed).toEqual([id]);
  expect((await users.get(userId)).multifactor).toEqual(["guardian"]);
  expect(await users.enrollments.get(userId)).toMatchObject([{ id, status: "confirmed", auth_method: "sms" }]);
  expect(await guardian.enrollments.get(id)).toMatchObject({ id, status: "confirmed", phone_number: "+15555550100" });
  expect((await users.regenerateRecoveryCode(userId)).recovery_code).toMatch(/^[A-Z0-9]{24}$/);
  await guardian.enrollments.delete(id);
  await methods.delete(userId, id);
  expect(await methods.set(userId, [{ type: "totp", totp_secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }])).toMatchObject([
    { type: "totp", authentication_methods: [{ type: "totp" }] },
  ]);
  await multifactor.invalidateRememberBrowser(userId);
  await multifactor.deleteProvider(userId, "google-authenticator");
  expect(await users.enrollments.get(userId)).toEqual([]);
  await methods.deleteAll(userId);
  await users.authenticators.deleteAll(userId);
}
