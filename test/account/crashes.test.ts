import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { auditEvents, jsonBody } from "../support/api.ts";
import { formAction, formFields } from "../support/browser.ts";
import {
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  redirectOf,
  refreshGrant,
  screenName,
  sendAuthorization,
  submitStep,
  successParameters,
  type LoginService,
  type ObtainedTokens,
} from "../support/flow.ts";
import { openLink } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { openSection, showSections, submitForm } from "./page.ts";

/** Tests the state after a crash at any write of a change on the account page, and after the form is sent again. */

const newEmail = "new@example.test";
const second = "second@example.test";
const password = "another long phrase 7";

interface Scene {
  readonly service: LoginService;
  readonly outbox: Outbox;
  /** Sends the form. @returns the result in the URL of the next page; undefined if the request failed. */
  submit(): Promise<string | undefined>;
  readonly user: () => Promise<{ readonly [member: string]: unknown }>;
}

/**
 * Prepares a form of the account page.
 * @param kind the change.
 * @param loseWrite runs after each write, and may throw.
 * @param before runs before the page is opened.
 */
async function prepare(
  kind: keyof typeof changes,
  names: string[],
  loseWrite: (name: string) => void | Promise<void>,
  before: (preparation: Preparation) => Promise<void> = async () => {},
): Promise<Scene> {
  let isCounting = false;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    if (!isCounting) return done;
    names.push(name);
    await loseWrite(name);
    return done;
  });
  const outbox = createOutbox();
  // Simulated crashes are not logged.
  const service = await openService({ data, messages: { mail: outbox.mail }, logger: { log() {} } });
  await showSections(service, { addresses: "shown", password: "shown", linked_accounts: "shown", deletion: "shown" });
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  const linked = await service.addUser(second);
  await service.manage("POST", `${path}/identities`, { provider: "auth0", user_id: linked.userId });
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const preparation = { service, outbox, browser, linkedId: linked.userId };
  await before(preparation);
  const { section, page, fields } = await changes[kind](preparation);
  const form = { ...formFields(page.html), ...fields };
  isCounting = true;
  return {
    service,
    outbox,
    async submit() {
      const response = await browser.post(formAction(page.html) ?? `/u/account/${section}`, { form });
      const location = response.headers.get("location");
      return location === null ? undefined : (new URL(location).searchParams.get("done") ?? undefined);
    },
    user: async () => jsonBody(await service.manage("GET", path)),
  };
}

interface Preparation extends Pick<Scene, "service" | "outbox"> {
  readonly browser: ReturnType<LoginService["browser"]>;
  readonly linkedId: string;
}

const changes = {
  email: async ({ outbox, browser }: Preparation) => {
    const form = await openSection(browser, "addresses", { view: "email" });
    const { location } = await submitForm(browser, form, { action: "send-email-code", email: newEmail });
    const page = await openLink(browser, location?.href ?? "");
    return { section: "addresses", page, fields: { action: "confirm-address", code: codeOf(outbox.take(newEmail)) } };
  },
  password: async ({ browser }: Preparation) => ({
    section: "password",
    page: await openSection(browser, "password", { view: "edit" }),
    fields: { action: "set-password", password },
  }),
  unlink: async ({ browser, linkedId }: Preparation) => ({
    section: "linked_accounts",
    page: await openSection(browser, "linked_accounts", { view: "unlink", id: linkedId }),
    fields: { action: "unlink-account" },
  }),
  deletion: async ({ browser }: Preparation) => ({
    section: "deletion",
    page: await openSection(browser, "deletion", { view: "confirm" }),
    fields: { action: "delete-account" },
  }),
};

/** Runs a change with a crash after each of its writes, and sends the form again. */
async function crashAtEachWrite(
  kind: keyof typeof changes,
  check: (scene: Scene, lost: string) => Promise<void>,
  before?: (preparation: Preparation) => Promise<void>,
): Promise<void> {
  const all: string[] = [];
  await (await prepare(kind, all, () => {})).submit();
  expect(all.length).toBeGreaterThan(2);
  for (let lost = 0; lost < all.length; lost++) {
    let written = 0;
    const crash = (name: string): void => {
      if (written++ === lost) throw new Error(`crash after ${name}`);
    };
    const scene = await prepare(kind, [], crash, before);
    await scene.submit();
    await scene.submit();
    await check(scene, `${lost}: ${all[lost]}`);
  }
}

test("a crash at any write of a new email address leaves the change complete, reported and audited once", async () => {
  await crashAtEachWrite("email", async ({ service, outbox, user }, lost) => {
    expect(await user(), lost).toMatchObject({ email: newEmail, email_verified: true });
    const reports = outbox.sent.filter(({ template }) => template === "email_changed").map(({ to }) => to);
    const events = await auditEvents(service.manage, "sce");
    // Only a crash between the write that decides about the report and the delivery, after the response, loses the report.
    if (!/one_time_codes.update|tickets.insert/.test(lost) || reports.length > 0) expect(reports, lost).toEqual([service.ada.email]);
    expect(events.length, lost).toBeLessThanOrEqual(1);
  });
});

test("a crash at any write of a new password leaves the former or the new one, and the user can set it again", async () => {
  await crashAtEachWrite("password", async ({ service }, lost) => {
    const attempts = [service.ada, { ...service.ada, password }].map((account) =>
      login(service.browser(), service.web, account).then(
        () => true,
        () => false,
      ),
    );
    expect((await Promise.all(attempts)).filter(Boolean), lost).toHaveLength(1);
  });
});

test("a crash at any write of an unlinking leaves the account linked or unlinked, never both", async () => {
  await crashAtEachWrite("unlink", async ({ service, user }, lost) => {
    const { identities } = await user();
    expect(Array.isArray(identities) && identities.length, lost).toBe(1);
    await login(service.browser(), service.web, { ...service.ada, email: second });
  });
});

test("after a crash at any write of a request for deletion, no session and no token is valid, also if the user keeps the account", async () => {
  let tokens: ObtainedTokens | undefined;
  const isDead = async (service: LoginService): Promise<boolean> => {
    const refresh = refreshGrant(service.web, tokens?.refresh ?? "");
    return (await service.userinfo(tokens?.access ?? "")).status === 401 && (await service.exchange(refresh)).status === 400;
  };
  const before = async ({ service }: Preparation): Promise<void> => {
    tokens = await obtainTokens(service, service.web, service.ada, offline);
  };
  await crashAtEachWrite(
    "deletion",
    async ({ service }, lost) => {
      const where = { tenant_id: "main", user_id: service.ada.userId };
      expect(await service.data.collections.users.count({ ...where, deletes_at: { exists: true } }), lost).toBe(1);
      expect(await isDead(service), lost).toBe(true);
      const browser = service.browser();
      const state = loginState(await sendAuthorization(browser, service.web));
      await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
      expect(screenName(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })), lost).toBe(
        "keep-account",
      );
      successParameters(redirectOf(await submitStep(browser, state, { action: "keep-account" })));
      expect(await isDead(service), lost).toBe(true);
    },
    before,
  );
});

test.each([
  ["expires", async () => {}],
  ["expires and is deleted", ({ service }: Scene) => service.data.collections.one_time_codes.delete({ tenant_id: "main" })],
])("a code that %s between the check and its use changes the address, and the change is reported and audited", async (_, remove) => {
  const scene = await prepare("email", [], async (name) => {
    if (name !== "users.update") return;
    scene.service.clock.advance("11m");
    await remove(scene);
  });
  expect(await scene.submit()).toBe("saved");
  expect(await scene.user()).toMatchObject({ email: newEmail });
  expect(scene.outbox.take(scene.service.ada.email)).toMatchObject({ template: "email_changed" });
  expect(await auditEvents(scene.service.manage, "sce")).toHaveLength(1);
});

test.each([
  ["a freeze", { factors_frozen_until: Number.MAX_SAFE_INTEGER }],
  ["a block", { blocked: true }],
  ["a request for deletion", { deletes_at: Number.MAX_SAFE_INTEGER, deletion_step_at: Number.MAX_SAFE_INTEGER }],
  ["a new password", { password_id: null }],
  ["a new email address", { email: "other@example.test", email_key: "other@example.test" }],
  ["a link to another account", { linked_to: "auth0|other" }],
])("%s between the check and the write stops the change of the email address", async (_, set) => {
  let isChanged = false;
  const scene = await prepare("email", [], async () => {
    if (isChanged) return;
    isChanged = true;
    const where = { tenant_id: "main", user_id: scene.service.ada.userId };
    await scene.service.data.collections.users.update(where, { set, add: { revision: 1 } });
  });
  expect(await scene.submit()).toBeUndefined();
  expect(isChanged).toBe(true);
  const where = { tenant_id: "main", user_id: scene.service.ada.userId };
  const [user] = await scene.service.data.collections.users.find({ where, limit: 1 });
  expect(user?.["email"]).not.toBe(newEmail);
});
