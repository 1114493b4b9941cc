import { beforeEach, expect, test } from "vitest";
import { countingHasher, createLogins, rightPassword, type Logins } from "../../../test/password-logins.ts";
import type { Row } from "../../store/schema.ts";
import { freezeFactors } from "../factors/frozen-factors.ts";
import { createTicket, findTicket } from "../tickets/ticket.ts";
import { resetPassword, type PasswordReset, type PasswordResetOutcome } from "./reset-password.ts";

const email = "ann@example.com";
const password = "a-new-password-1";

let logins: Logins;
let ann: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  ann = await logins.addUser({ email });
});

const reset = (more: Partial<PasswordReset> = {}): Promise<PasswordResetOutcome> =>
  resetPassword(logins.tenant, {
    connection: logins.connection,
    account: ann,
    password,
    client: logins.client,
    provesEmail: "mailbox",
    isConfirmed: false,
    ...more,
  });

async function stored(of = ann): Promise<Row<"users"> | undefined> {
  return (await logins.data.users.find({ where: { user_id: of.user_id }, limit: 1 }))[0];
}

test("after a reset, the new password is valid, the old one is not, and the email address is verified", async () => {
  expect(await reset()).toMatchObject({ kind: "done", account: { email_verified: true } });
  expect(await stored()).toMatchObject({ email_verified: true, last_password_reset: logins.clock.now() });
  expect(await logins.login(email, rightPassword)).toMatchObject({ kind: "wrong-credentials" });
  expect(await logins.login(email, password)).toMatchObject({ kind: "signed-in" });
});

test("writes one audit event, with the client and the connection", async () => {
  await reset();
  expect(logins.audited).toEqual([
    {
      type: "scp",
      client: { client_id: "app", name: "App" },
      connection: expect.objectContaining({ name: "Users" }),
      user: { user_id: ann.user_id, name: ann.name },
    },
  ]);
  expect(await reset()).toEqual({ kind: "lost-race" });
  expect(logins.audited).toHaveLength(1);
});

test("writes the primary user to the audit event if the account is linked", async () => {
  const primary = await logins.addUser({ email: "primary@example.com" });
  await logins.link(ann, primary);
  await reset({ account: { ...ann, linked_to: primary.user_id }, provesEmail: undefined });
  expect(logins.audited).toMatchObject([{ type: "scp", user: { user_id: primary.user_id } }]);
});

test("marks the ticket from the link as used", async () => {
  const text = await createTicket(logins.tenant, { purpose: "reset-password", user: ann });
  const ticket = await findTicket(logins.data, "reset-password", text);
  await reset({ ticket });
  expect(await findTicket(logins.data, "reset-password", text)).toMatchObject({ consumed_at: logins.clock.now() });
});

test("a throttled user can sign in after the reset", async () => {
  for (let i = 0; i < 11; i++) await logins.login(email, "wrong");
  expect(await logins.login(email, rightPassword)).toMatchObject({ kind: "throttled" });
  expect(await reset()).toMatchObject({ kind: "done" });
  expect(await logins.login(email, password)).toMatchObject({ kind: "signed-in" });
});

test("a reset without a proof of the email address does not verify it", async () => {
  const other = await logins.addUser({ email: "other@example.com" });
  await logins.link(other, ann);
  expect(await reset({ provesEmail: undefined })).toMatchObject({ kind: "done", account: { email_verified: false } });
  expect(await stored()).toMatchObject({ email_verified: false, linked_count: 1 });
});

test("a reset unlinks accounts that are linked to an account with an unproven email address, but not those of a proven one", async () => {
  const other = await logins.addUser({ email: "maker@example.com" });
  await logins.link(other, ann);
  expect(await reset()).toMatchObject({ kind: "done" });
  expect(await stored(other)).toMatchObject({ linked_to: "" });
  expect(await logins.login("maker@example.com", rightPassword)).toMatchObject({ user: { user_id: other.user_id } });

  await logins.link(other, ann);
  const verified = await stored();
  expect(await reset({ password: "another-password-2", ...(verified && { account: verified }) })).toMatchObject({ kind: "done" });
  expect(await stored(other)).toMatchObject({ linked_to: ann.user_id });
});

test("a reset unlinks an account with an unproven email address from its primary account, so that the reset gives no access to another user's account", async () => {
  const primary = await logins.addUser({ email: "primary@example.com" });
  await logins.link(ann, primary);
  expect(await reset({ account: { ...ann, linked_to: primary.user_id } })).toMatchObject({ kind: "done" });
  expect(await logins.login(email, password)).toMatchObject({ kind: "signed-in", user: { user_id: ann.user_id } });
});

test("a password that the connection's policy does not allow changes nothing, and the reason is returned", async () => {
  const { data, connection } = logins;
  const strict = { ...connection, options: { passwordPolicy: "good" } };
  const before = await data.passwords.count({});
  expect(await reset({ connection: strict, password: "short" })).toMatchObject({
    kind: "refused",
    fault: { name: "PasswordStrengthError" },
  });
  expect(await stored()).toEqual(ann);
  expect(await data.passwords.count({})).toBe(before);
});

test.each(["mailbox", undefined] as const)(
  "of 32 parallel resets one succeeds, and no password hash from the others is left (proof: %s)",
  async (provesEmail) => {
    const outcomes = await Promise.all(Array.from({ length: 32 }, (_, i) => reset({ password: `new-password-${i}`, provesEmail })));
    const done = outcomes.findIndex(({ kind }) => kind === "done");
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "lost-race")).toHaveLength(31);
    expect(await logins.login(email, `new-password-${done}`)).toMatchObject({ kind: "signed-in" });
    expect(await logins.data.passwords.count({ user_id: ann.user_id })).toBe(2);
  },
);

test("a reset fails if the account was deleted or its email address was changed", async () => {
  await logins.data.users.update({ user_id: ann.user_id }, { set: { email: "new@example.com" } });
  expect(await reset()).toEqual({ kind: "lost-race" });
  await logins.data.users.delete({ user_id: ann.user_id });
  expect(await reset()).toEqual({ kind: "lost-race" });
});

test("a report of a changed address during a reset stops a reset that takes the account over", async () => {
  const read = ann;
  await logins.data.users.update(
    { user_id: ann.user_id },
    { set: { password_frozen_until: logins.clock.now() + 1000 }, add: { revision: 1 } },
  );
  expect(read.email_verified).toBe(false);
  expect(await reset({ account: read })).toEqual({ kind: "lost-race" });
  expect(await logins.login(email, password)).toMatchObject({ kind: "wrong-credentials" });
});

test("a report of a changed address during a reset stops the reset of a linked account", async () => {
  const report = { run: async (): Promise<void> => {} };
  const hasher = {
    ...countingHasher(),
    async hash(typed: string) {
      await report.run();
      return `new:${typed}`;
    },
  };
  logins = await createLogins(hasher);
  const primary = await logins.addUser({ email: "primary@example.com" });
  ann = await logins.addUser({ email });
  await logins.link(ann, primary);
  report.run = async () => void (await freezeFactors(logins.tenant, primary.user_id, "with-password"));
  const account = { ...ann, linked_to: primary.user_id };
  expect(await reset({ account, provesEmail: undefined })).toEqual({ kind: "lost-race" });
  expect(await stored()).toMatchObject({ password_id: ann.password_id });
});
