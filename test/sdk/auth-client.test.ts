import { AuthClient, isMfaRequiredError, MfaEnrollmentError, MfaVerifyError } from "@auth0/auth0-auth-js";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../packages/core/src/adapters/clock.ts";
import type { AuthenticatorResult } from "../../packages/core/test/software-authenticator.ts";
import { openMfaService } from "../factors/mfa-api-support.ts";
import { creationOptionsOf, openPasskeyService, requestOptionsOf } from "../factors/passkey-api-support.ts";
import type { App } from "../support/flow.ts";
import { codeOf, differentCode } from "../support/outbox.ts";
import { clientSecret, type TestPostern } from "../support/postern.ts";

/**
 * The second factors and passkeys of Auth0's `@auth0/auth0-auth-js`, which its browser, Next.js and server SDKs share.
 * The service has the time of this machine, because the SDK compares the lifetime of tokens with it.
 */

const issuer = "https://id.example.test/";
const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const phone = "+491701234567";

const atPresent = () => ({ testing: { clock: createManualClock(Date.now()) } });

function authClientFor(service: Pick<TestPostern, "postern">, { clientId }: Pick<App, "clientId">): AuthClient {
  return new AuthClient({
    domain: new URL(issuer).host,
    clientId,
    clientSecret,
    customFetch: (input, init) => service.postern.fetch(new Request(input, init)),
  });
}

describe("the MFA client of Auth0's SDK", () => {
  const open = async () => {
    const service = await openMfaService(atPresent());
    const client = authClientFor(service, service.app);
    const { email: username, password } = service.ada;
    /** Signs in with the password. @returns the `mfa_token` and the requirements in the SDK's error. */
    const requireFactor = async () => {
      const error: unknown = await client.getTokenByPassword({ username, password, scope: "openid" }).catch((thrown: unknown) => thrown);
      if (!isMfaRequiredError(error)) throw new Error("the SDK has not recognised the error mfa_required", { cause: error });
      return { mfaToken: error.cause.mfa_token, requirements: error.cause.mfa_requirements };
    };
    /** Adds an authenticator app. Advances the clock to the next time step. */
    const addApp = async () => {
      const { mfaToken } = await requireFactor();
      const added = await client.mfa.enrollAuthenticator({ authenticatorTypes: ["otp"], mfaToken });
      if (added.authenticatorType !== "otp") throw new Error("no authenticator app");
      await client.mfa.verify({ factorType: "otp", mfaToken, otp: service.codeNow(added.secret) });
      service.clock.advance("31s");
      return added;
    };
    return { service, client, requireFactor, addApp };
  };

  test("adds an authenticator app, and signs in with it", async () => {
    const { service, client, requireFactor } = await open();
    const { mfaToken, requirements } = await requireFactor();
    expect(requirements).toEqual({ enroll: [{ type: "otp" }, { type: "phone" }] });
    const added = await client.mfa.enrollAuthenticator({ authenticatorTypes: ["otp"], mfaToken });
    expect(added).toMatchObject({
      authenticatorType: "otp",
      barcodeUri: expect.stringMatching(/^otpauth:/),
      recoveryCodes: [expect.any(String)],
    });
    const secret = "secret" in added ? added.secret : "";
    const tokens = await client.mfa.verify({ factorType: "otp", mfaToken, otp: service.codeNow(secret) });
    expect(tokens.claims).toMatchObject({ sub: service.ada.userId, acr });

    service.clock.advance("31s");
    const second = await requireFactor();
    // Every factor of the user is accepted.
    expect(second.requirements).toEqual({});
    const authenticators = await client.mfa.listAuthenticators({ mfaToken: second.mfaToken });
    expect(authenticators.map(({ authenticatorType }) => authenticatorType)).toContain("otp");
    expect(await client.mfa.challengeAuthenticator({ challengeType: "otp", mfaToken: second.mfaToken })).toEqual({ challengeType: "otp" });
    const wrong = client.mfa.verify({ factorType: "otp", mfaToken: second.mfaToken, otp: differentCode(service.codeNow(secret)) });
    await expect(wrong).rejects.toThrow(MfaVerifyError);
    const again = await client.mfa.verify({ factorType: "otp", mfaToken: second.mfaToken, otp: service.codeNow(secret) });
    expect(decodeJwt(again.idToken ?? "")).toMatchObject({ amr: ["pwd", "otp", "mfa"] });
  });

  test("adds a phone, and signs in with a code that is sent to it", async () => {
    const { service, client, requireFactor } = await open();
    const { mfaToken } = await requireFactor();
    const added = await client.mfa.enrollAuthenticator({ authenticatorTypes: ["oob"], oobChannels: ["sms"], phoneNumber: phone, mfaToken });
    expect(added).toMatchObject({ authenticatorType: "oob", oobChannel: "sms", bindingMethod: "prompt", oobCode: expect.any(String) });
    const oobCode = "oobCode" in added ? (added.oobCode ?? "") : "";
    await client.mfa.verify({ factorType: "oob", mfaToken, oobCode, bindingCode: codeOf(service.outbox.take(phone)) });

    const second = await requireFactor();
    const [authenticator] = (await client.mfa.listAuthenticators({ mfaToken: second.mfaToken })).filter(({ id }) => id.startsWith("sms|"));
    const challenge = { challengeType: "oob", authenticatorId: authenticator?.id ?? "", mfaToken: second.mfaToken } as const;
    const sent = await client.mfa.challengeAuthenticator(challenge);
    expect(sent).toMatchObject({ challengeType: "oob", bindingMethod: "prompt" });
    const code = { oobCode: sent.oobCode ?? "", bindingCode: codeOf(service.outbox.take(phone)) };
    const tokens = await client.mfa.verify({ factorType: "oob", mfaToken: second.mfaToken, ...code });
    expect(tokens.claims).toMatchObject({ acr });
  });

  test("signs in with the recovery code, and gets the next one", async () => {
    const { client, requireFactor, addApp } = await open();
    const { recoveryCodes: [recoveryCode = ""] = [] } = await addApp();
    const { mfaToken } = await requireFactor();
    const tokens = await client.mfa.verify({ factorType: "recovery-code", mfaToken, recoveryCode });
    expect(tokens.claims).toMatchObject({ acr });
    expect(tokens.recoveryCode).toMatch(/^[A-Z0-9]{24}$/);
    expect(tokens.recoveryCode).not.toBe(recoveryCode);
  });

  test("reads the errors of the service", async () => {
    const { client, requireFactor } = await open();
    const { mfaToken } = await requireFactor();
    const refused: unknown = await client.mfa
      .enrollAuthenticator({ authenticatorTypes: ["oob"], oobChannels: ["voice"], phoneNumber: phone, mfaToken })
      .catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(MfaEnrollmentError);
    expect(refused).toMatchObject({ cause: { error: "invalid_request" } });
    const unknown: unknown = await client.mfa.listAuthenticators({ mfaToken: "unknown" }).catch((thrown: unknown) => thrown);
    expect(unknown).toMatchObject({ cause: { error: expect.any(String), error_description: expect.any(String) } });
  });
});

/** Returns a response of the passkey API as the service sent it. */
const inWireFormat = ({ authSession, authnParamsPublicKey }: { readonly authSession: string; readonly authnParamsPublicKey: object }) => ({
  auth_session: authSession,
  authn_params_public_key: authnParamsPublicKey,
});

/** Returns the result of an authenticator with the type that the SDK declares. */
const asCredential = ({ response, clientExtensionResults, ...result }: AuthenticatorResult) => ({
  ...result,
  clientExtensionResults: { ...clientExtensionResults },
  response: { ...response, clientDataJSON: String(response["clientDataJSON"]) },
});

describe("the passkey client of Auth0's SDK", () => {
  test("signs up and signs in", async () => {
    const service = await openPasskeyService(atPresent());
    const client = authClientFor(service, service.app);
    const { device } = service;

    const creation = await client.passkey.register({ email: "new@people.example" });
    const created = await device.create(creationOptionsOf(inWireFormat(creation)));
    const signedUp = await client.passkey.getTokenByPasskey({
      authSession: creation.authSession,
      credential: asCredential(created),
      scope: "openid",
    });
    expect(signedUp.claims).toMatchObject({ acr });

    const request = await client.passkey.challenge();
    const used = await device.get(requestOptionsOf(inWireFormat(request)));
    const signedIn = await client.passkey.getTokenByPasskey({
      authSession: request.authSession,
      credential: asCredential(used),
      scope: "openid",
    });
    expect(signedIn.claims?.sub).toBe(signedUp.claims?.sub);

    const replayed: unknown = await client.passkey
      .getTokenByPasskey({ authSession: request.authSession, credential: asCredential(used), scope: "openid" })
      .catch((thrown: unknown) => thrown);
    expect(replayed).toMatchObject({ cause: { error: "invalid_grant" } });
  });
});
