import { AuthenticationClient as Version4 } from "auth0-4";
import { AuthenticationClient as Version5 } from "auth0-5";
import { AuthenticationClient as Version6 } from "auth0-6";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServedPostern } from "../support/http.ts";
import { managerOf } from "../support/api.ts";
import { codeOf, createOutbox, differentCode } from "../support/outbox.ts";
import { clientSecret } from "../support/postern.ts";
import { serveTls } from "../support/tls.ts";

/** Runs the `passwordless` client of Auth0's unmodified Node SDK. It verifies ID tokens with the published keys. */

const outbox = createOutbox();
let service: ServedPostern;
let domain: string;

beforeAll(async () => {
  service = await serveTls(() => ({ messages: { mail: outbox.mail, sms: outbox.sms }, crypto: { signingAlgorithm: "RS256" } }));
  domain = service.origin.slice("https://".length);
  const manage = await managerOf(service);
  await manage.create("/api/v2/connections", { name: "email", strategy: "email" });
  await manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  const grant_types = ["http://auth0.com/oauth/grant-type/passwordless/otp", "refresh_token"];
  await service.postern.seed({
    tenantId: "main",
    clients: [{ clientId: "app", secret: clientSecret, settings: { name: "App", app_type: "regular_web", grant_types } }],
  });
});
afterAll(async () => {
  await service.close();
  expect(service.faults).toEqual([]);
});

describe.each([
  ["4", () => new Version4({ domain, clientId: "app", clientSecret }).passwordless],
  ["5", () => new Version5({ domain, clientId: "app", clientSecret }).passwordless],
  ["6", () => new Version6({ domain, clientId: "app", clientSecret }).passwordless],
])("version %s", (version, client) => {
  test("signs in with a code from a mail", async () => {
    const email = `mira-${version}@example.test`;
    await client().sendEmail({ email, send: "code" });
    const code = codeOf(outbox.take(email));
    await expect(client().loginWithEmail({ email, code: differentCode(code) })).rejects.toMatchObject({
      statusCode: 400,
      error: "invalid_grant",
      error_description: "Wrong email or verification code.",
    });
    const { data } = await client().loginWithEmail({ email, code, scope: "openid email offline_access" });
    expect(decodeJwt(data.id_token ?? "")).toMatchObject({ email, email_verified: true });
    expect(data).toMatchObject({ token_type: "Bearer", refresh_token: expect.any(String) });
  });

  test("signs in with a code from a text message, and gets an error for an invalid number", async () => {
    const phone_number = `+4915112345${version}78`;
    await client().sendSMS({ phone_number });
    const { data } = await client().loginWithSMS({ phone_number, code: codeOf(outbox.take(phone_number)), scope: "openid phone" });
    expect(decodeJwt(data.id_token ?? "")).toMatchObject({ phone_number, phone_number_verified: true });
    await expect(client().sendSMS({ phone_number: "0151" })).rejects.toMatchObject({ statusCode: 400, error: "bad.phone_number" });
  });
});
