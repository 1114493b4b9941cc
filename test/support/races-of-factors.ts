import type { DataAdapter } from "@postern/core/adapter";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { creationOptionsSchema, requestOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { oobGrant, openMfaService, otpGrant, recoveryGrant, type MfaService } from "../factors/mfa-api-support.ts";
import { screenOf, signInToFactor, totpOf } from "../factors/support.ts";
import { jsonBody, stringMember } from "./api.ts";
import { openBrowser } from "./browser.ts";
import {
  fakeHasher,
  loginState,
  redirectOf,
  sendAuthorization,
  sendStep,
  submitStep,
  successParameters,
  type TestAccount,
} from "./flow.ts";
import { codeOf } from "./outbox.ts";
import { clientSecret, createTestPostern, type ApiResponse, type TestPostern } from "./postern.ts";

/**
 * Adds tests of 32 parallel uses of one code or one challenge of a second factor, and of parallel first factors, on one
 * process and on two.
 * @param open opens two connections to one new database.
 */
export function testFactorRaces(open: () => Promise<readonly [DataAdapter, DataAdapter]>): void {
  let service: MfaService;
  let processes: readonly TestPostern[];
  let serial = 0;

  beforeAll(async () => {
    const [first, second] = await open();
    service = await openMfaService({ data: first });
    await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true });
    const other = await createTestPostern({ data: second, crypto: { hasher: fakeHasher }, testing: { clock: service.clock } });
    processes = [service, other];
  });
  afterAll(async () => {
    for (const one of processes) await one.postern.close();
  });

  /** Adds a user whose factors an administrator has enrolled. */
  async function addUser(...factors: readonly object[]): Promise<TestAccount> {
    const account = await service.addUser(`racer-${serial++}@example.test`);
    for (const factor of factors) {
      const path = `/api/v2/users/${encodeURIComponent(account.userId)}/authentication-methods`;
      expect((await service.manage("POST", path, factor)).status).toBe(201);
    }
    return account;
  }

  const sessionsOf = ({ userId }: TestAccount): Promise<number> =>
    service.data.collections.sessions.count({ tenant_id: "main", user_id: userId });

  describe.each([1, 2])("on %i process(es)", (count) => {
    const inParallel = <T>(use: (at: number) => Promise<T>): Promise<readonly T[]> =>
      Promise.all(Array.from({ length: 32 }, (_, i) => use(i % count)));

    /** Requests a code and uses it 32 times. One use gets tokens. */
    async function useCode(account: TestAccount, destination: string, type: "phone" | "email"): Promise<void> {
      const mfa_token = stringMember(await service.begin(account), "mfa_token");
      const { body } = await service.authenticators(mfa_token);
      const listed = body as readonly { readonly id: string; readonly type: string }[];
      const authenticator_id = listed.find((one) => one.type === type)?.id ?? "";
      const oob_code = stringMember(jsonBody(await service.challenge(mfa_token, { authenticator_id }), 200), "oob_code");
      const binding_code = codeOf(service.outbox.take(destination));
      const form = new URLSearchParams({
        grant_type: oobGrant,
        client_id: service.app.clientId,
        client_secret: clientSecret,
        mfa_token,
        oob_code,
        binding_code,
      });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const replies = await inParallel(async (at): Promise<ApiResponse | undefined> =>
        processes[at]?.call("POST", "/oauth/token", { body: form.toString(), headers }),
      );
      expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(1);
      for (const reply of replies) expect([200, 401, 403, 429, 503]).toContain(reply?.status);
      expect(await sessionsOf(account)).toBe(1);
    }

    test("one code by text message is used once", async () => {
      const phone = `+4917012345${10 + serial}`;
      await useCode(await addUser({ type: "phone", name: "Mobile", phone_number: phone }), phone, "phone");
    });

    test("one code by email is used once", async () => {
      const account = await addUser({ type: "totp", name: "App", totp_secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" });
      await useCode(account, account.email, "email");
    });

    /** Sends a form to the token endpoint of a process. */
    const exchangeAt = async (at: number, parameters: { readonly [name: string]: string }): Promise<ApiResponse | undefined> => {
      const form = new URLSearchParams({ client_id: service.app.clientId, client_secret: clientSecret, ...parameters });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return processes[at]?.call("POST", "/oauth/token", { body: form.toString(), headers });
    };

    const confirmedTypes = async (account: TestAccount): Promise<readonly unknown[]> => {
      // A sign-in stores the recovery code if the requests prevented each other from it.
      await service.begin(account);
      const { userId } = account;
      const where = { tenant_id: "main", user_id: userId, confirmed_at: { exists: true } } as const;
      return (await service.data.collections.factors.find({ where, limit: 100 })).map(({ type }) => type).toSorted();
    };

    test("one of 32 first factors that are added with the MFA API is confirmed, with one recovery code", async () => {
      const account = await addUser();
      const started: { readonly mfa_token: string; readonly otp: string; readonly recoveryCode: string }[] = [];
      for (let i = 0; i < 32; i++) {
        const mfa_token = stringMember(await service.begin(account), "mfa_token");
        const added = jsonBody(await service.associate(mfa_token, { authenticator_types: ["otp"] }), 200);
        const otp = service.codeNow(stringMember(added, "secret"));
        started.push({ mfa_token, otp, recoveryCode: String(added["recovery_codes"]) });
      }
      const replies = await Promise.all(
        started.map(({ mfa_token, otp }, i) => exchangeAt(i % count, { grant_type: otpGrant, mfa_token, otp })),
      );
      const winner = replies.findIndex((reply) => reply?.status === 200);
      expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(1);
      for (const reply of replies) expect([200, 400, 409, 429, 503]).toContain(reply?.status);
      for (const reply of replies.filter((one) => one?.status === 400))
        expect(reply?.body).toMatchObject({ error: "access_denied", error_description: "User is already enrolled" });
      expect(await confirmedTypes(account)).toEqual(["recovery-code", "totp"]);
      const mfa_token = stringMember(await service.begin(account), "mfa_token");
      const used = await exchangeAt(0, { grant_type: recoveryGrant, mfa_token, recovery_code: started[winner]?.recoveryCode ?? "" });
      expect(used?.status).toBe(200);
    });

    test("one of 8 first factors that are added on login pages is confirmed", async () => {
      const account = await addUser();
      const logins: { readonly state: string; readonly cookies: ReadonlyMap<string, string>; readonly code: string }[] = [];
      for (let i = 0; i < 8; i++) {
        const browser = service.browser();
        const { state } = await signInToFactor({ ...service, ada: account }, browser);
        const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
        logins.push({ state, cookies: browser.cookies, code: service.codeNow(stringMember(totpOf(chosen), "secret")) });
      }
      const replies = await Promise.all(
        logins.map(({ state, cookies, code }, i) => {
          const { postern } = processes[i % count] ?? service;
          return sendStep(openBrowser(postern, new Map(cookies)), state, { action: "confirm-new-factor", code });
        }),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status } of replies) expect([200, 400, 409, 429, 503]).toContain(status);
      expect(await confirmedTypes(account)).toEqual(["recovery-code", "totp"]);
      expect(await sessionsOf(account)).toBe(1);
    });

    test("32 equal requests with a recovery code get one recovery code, session and refresh token", async () => {
      const account = await service.addUser(`racer-${serial++}@example.test`);
      const { recoveryCode } = await service.enrollApp(account);
      const before = await sessionsOf(account);
      const mfa_token = stringMember(await service.begin(account, { scope: "openid offline_access" }), "mfa_token");
      const sent = { grant_type: recoveryGrant, mfa_token, recovery_code: recoveryCode };
      const replies = await inParallel(async (at) => exchangeAt(at, sent));
      const again = await exchangeAt(count - 1, sent);
      expect(again?.status).toBe(200);
      const accepted = [...replies, again].filter((reply) => reply?.status === 200).map((reply) => reply && jsonBody(reply));
      for (const reply of replies) expect([200, 409, 429, 503]).toContain(reply?.status);
      for (const name of ["recovery_code", "refresh_token"]) expect(new Set(accepted.map((reply) => reply?.[name])).size).toBe(1);
      expect(await sessionsOf(account)).toBe(before + 1);
      expect(await service.data.collections.refresh_tokens.count({ tenant_id: "main", user_id: account.userId })).toBe(1);
    });

    test("trust in a browser that ends during 16 parallel logins is restored by none of them", async () => {
      const key = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
      const account = await addUser({ type: "totp", name: "App", totp_secret: key });
      const trusting = service.browser();
      const { state } = await signInToFactor({ ...service, ada: account }, trusting);
      const step = { action: "enter-factor-code", code: service.codeNow(key), remember: "true" } as const;
      successParameters(redirectOf(await submitStep(trusting, state, step)));
      const trust = new Map([...trusting.cookies].filter(([name]) => name.includes("trusted")));
      const { trusted_browsers: trusted } = service.data.collections;
      expect([trust.size, await trusted.count({ tenant_id: "main", user_id: account.userId })]).toEqual([1, 1]);
      const logins: { readonly state: string; readonly cookies: ReadonlyMap<string, string> }[] = [];
      for (let i = 0; i < 16; i++) {
        const browser = service.browser(trust);
        const started = loginState(await sendAuthorization(browser, service.web));
        await submitStep(browser, started, { action: "continue", identifier: account.email });
        logins.push({ state: started, cookies: browser.cookies });
      }
      const path = `/api/v2/users/${encodeURIComponent(account.userId)}/multifactor/actions/invalidate-remember-browser`;
      const [ended, ...replies] = await Promise.all([
        service.manage("POST", path),
        ...logins.map((login, i) =>
          sendStep(openBrowser((processes[i % count] ?? service).postern, new Map(login.cookies)), login.state, {
            action: "sign-in",
            password: account.password,
          }),
        ),
      ]);
      expect(ended.status).toBe(204);
      for (const { status } of replies) expect([200, 409, 429, 503]).toContain(status);
      expect(await trusted.count({ tenant_id: "main", user_id: account.userId })).toBe(0);
      const { reply } = await signInToFactor({ ...service, ada: account }, service.browser(trust));
      expect(screenOf(reply)).toMatchObject({ name: "factor" });
    });

    test("one WebAuthn challenge is used once", async () => {
      const account = await addUser();
      const device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
      const enrolling = service.browser();
      const begun = await signInToFactor({ ...service, ada: account }, enrolling);
      const chosen = screenOf(await submitStep(enrolling, begun.state, { action: "choose-new-factor", factor: "webauthn-roaming" }));
      const created = await device.create(creationOptionsSchema.parse(chosen["publicKey"]));
      await submitStep(enrolling, begun.state, { action: "confirm-key", response: JSON.stringify(created) });
      successParameters(redirectOf(await submitStep(enrolling, begun.state, { action: "recovery-code-stored" })));

      const browser = service.browser();
      const { state, reply } = await signInToFactor({ ...service, ada: account }, browser);
      const response = JSON.stringify(await device.get(requestOptionsSchema.parse(screenOf(reply)["publicKey"])));
      const browsers = processes.map(({ postern }) => openBrowser(postern, new Map(browser.cookies)));
      const replies = await inParallel(async (at) => sendStep(browsers[at] ?? browser, state, { action: "use-key", response }));
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      for (const { status } of replies) expect(status, "a request failed").not.toBe(500);
      expect(await sessionsOf(account)).toBe(2);
    });
  });
}
