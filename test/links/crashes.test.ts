import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import {
  sendAuthorization,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  type TestAccount,
  type LoginService,
} from "../support/flow.ts";
import { formFields, formAction, type Browser } from "../support/browser.ts";
import { addUnverifiedUser, openLink, createTicketLink } from "../support/links.ts";
import { sampled } from "../support/nightly.ts";

/** Tests the state after a crash at any write of a link's form, and after the form is sent again. */

const ownersPassword = "owners-password-1";

interface Scene {
  readonly service: LoginService;
  /**
   * An account that an attacker created with another user's email address. The attacker has a session and linked a
   * second account.
   */
  readonly eve: TestAccount;
  readonly mallory: TestAccount;
  readonly attackerBrowser: Browser;
  readonly refreshToken: string;
  /** Sends the form of the link. @returns the status. */
  submit(): Promise<number>;
}

async function scene(
  names: string[],
  loseWrite: (name: string) => void,
  kind: "email-verification" | "password-change",
  fields: object,
): Promise<Scene> {
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    names.push(name);
    loseWrite(name);
    return done;
  });
  // Simulated crashes are not logged.
  const service = await openService({ data, logger: { log() {} } });
  const eve = await addUnverifiedUser(service, "eve@example.test");
  const mallory = await service.addUser("mallory@example.test");
  const identities = `/api/v2/users/${encodeURIComponent(eve.userId)}/identities`;
  expect(await service.manage("POST", identities, { provider: "auth0", user_id: mallory.userId })).toMatchObject({ status: 201 });
  const attackerBrowser = service.browser();
  const { refresh } = await obtainTokens(service, service.web, eve, offline, attackerBrowser);
  const link = await createTicketLink(service, kind, { user_id: eve.userId, ...fields });
  const browser = service.browser();
  const { html } = await openLink(browser, link);
  names.length = 0;
  const form = { ...formFields(html), ...(kind === "password-change" ? { password: ownersPassword } : { action: "no" }) };
  return {
    service,
    eve,
    mallory,
    attackerBrowser,
    refreshToken: refresh,
    submit: async () => (await browser.post(formAction(html) ?? "", { form })).status,
  };
}

const works = ({ service }: Scene, account: TestAccount): Promise<string | undefined> =>
  login(service.browser(), service.web, account).then(
    () => account.userId,
    () => undefined,
  );

/** Expects that the attacker has no access to the account. */
async function expectClosed({ service, eve, mallory, attackerBrowser, refreshToken }: Scene, after: string): Promise<void> {
  const silent = await sendAuthorization(attackerBrowser, service.web, { prompt: "none" });
  expect(silent, after).toMatchObject({ parameters: { error: "login_required" } });
  expect((await service.exchange(refreshGrant(service.web, refreshToken))).status, after).toBe(400);
  const { body } = await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`);
  expect(body, after).not.toMatchObject({ identities: [{}, {}] });
  expect((await service.manage("GET", `/api/v2/users/${encodeURIComponent(mallory.userId)}`)).status, after).toBe(200);
}

test.each([
  ["a password reset by the owner of the email address", "password-change", { mark_email_as_verified: true }],
  ["a rejection of the account by the owner of the email address", "email-verification", {}],
] as const)(
  "%s: after a crash at any write, the attacker's password is invalid only if all their other access is too, and sending the form again completes the change",
  async (_what, kind, fields) => {
    const names: string[] = [];
    let crashAt: number | undefined;
    const loseWrite = (name: string): void => {
      if (crashAt === undefined || name === "logs.insert" || names.filter((each) => each !== "logs.insert").length !== crashAt) return;
      crashAt = undefined;
      throw new Error("lost");
    };
    const open = (): Promise<Scene> => scene(names, loseWrite, kind, fields);
    const uninterrupted = await open();
    expect(await uninterrupted.submit()).toBe(303);
    const writes = names.filter((name) => name !== "logs.insert");
    expect(writes.length).toBeGreaterThan(5);
    await expectClosed(uninterrupted, "the whole");

    for (const [index, name] of sampled("crashes", [...writes.entries()])) {
      const interrupted = await open();
      crashAt = index + 1;
      const after = `after ${index + 1}: ${name}`;
      expect(await interrupted.submit(), after).toBe(500);
      crashAt = undefined;
      const decided = (await works(interrupted, interrupted.eve)) === undefined;
      if (decided) await expectClosed(interrupted, after);
      expect(await interrupted.submit(), after).toBe(303);
      expect(await works(interrupted, interrupted.eve), after).toBeUndefined();
      if (kind === "password-change")
        expect(await works(interrupted, { ...interrupted.eve, password: ownersPassword }), after).toBe(interrupted.eve.userId);
    }
  },
);
