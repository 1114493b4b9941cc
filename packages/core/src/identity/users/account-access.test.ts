import { expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { userId } from "../../store/description.ts";
import { schema, type CollectionName, type Row } from "../../store/schema.ts";
import { storeFactor, findFactors } from "../factors/factors.ts";
import { isBrowserTrusted, trustBrowser } from "../factors/trusted-browser.ts";
import { accountRecords, endAccess, takeOverAccount, type ProvenIdentifier, unlinkUser } from "./account-access.ts";
import { linkUpstream } from "./link-upstream.ts";
import { linkUsers, type LinkPermission } from "./link-users.ts";
import { proveEmail } from "./prove-email.ts";

/** Matches the names of columns that contain the id of an account, in any collection. */
const accountField = /(^|_)(user_id|user|account_id|account|linked_to)$|_by$/;

const permitted: LinkPermission = { primary: async () => undefined, secondary: async () => undefined };

/** Columns with such a name that do not contain the id of an account. */
const others = ["email_providers.account", "clients.external_metadata_created_by"];

test("accountRecords lists every collection that has a column with the id of an account", () => {
  const named = Object.entries(schema).flatMap(([name, { fields }]) =>
    Object.entries(fields)
      .filter(([field, declared]) => declared === userId || accountField.test(field))
      .map(([field]) => `${name}.${field}`),
  );
  const listed = Object.entries(accountRecords).flatMap(([name, { fields }]) => fields.map((field) => `${name}.${field}`));
  expect([...listed, ...others].toSorted()).toEqual(named.toSorted());
});

test("every collection in accountRecords has a reason, and its rows are deleted with the account unless it is an exception", () => {
  const stay: readonly string[] = ["users", "invitations", "app_sessions", "logout_deliveries", "logs"] satisfies CollectionName[];
  for (const [name, { ends, remove, reason }] of Object.entries(accountRecords)) {
    expect(reason, name).toMatch(/^[A-Z].+\.$/);
    expect(ends?.on, name).not.toEqual([]);
    expect(remove === undefined, name).toBe(stay.includes(name));
  }
});

test.each<[ProvenIdentifier, string]>([
  ["email", "email_key"],
  ["phone_number", "phone_key"],
])("a takeover by the owner of the %s removes the password and all other identifiers from the account", async (proven, kept) => {
  const logins = await createLogins();
  const { user_id } = await logins.addUser({ email: "ann@example.com" });
  const keys = { username: "ann", username_key: "ann", phone_number: "+4915112345678", phone_key: "+4915112345678", subject_key: "ann" };
  await logins.data.users.update({ user_id }, { set: keys });
  const read = async () => (await logins.data.users.find({ where: { user_id }, limit: 1 }))[0];
  const before = await read();
  expect(before && (await takeOverAccount(logins.tenant, before, proven, {}))).toBe(true);
  const after = Object.entries((await read()) ?? {}).filter(([field, value]) => /_key$|^password_id$/.test(field) && value !== null);
  expect(after.map(([field]) => field)).toEqual([kept]);
});

test.each(["a provider's account", "another account"])("%s that is linked during a takeover does not stay linked", async (what) => {
  const logins = await createLogins();
  const { data, connection } = logins;
  const account = await logins.addUser({ email: "ann@example.com" });
  const other = await logins.addUser({ email: "stranger@example.com" });
  // The attacker signed in before the takeover and links an account after it. Linking fails, because the columns that
  // give access have changed since the sign-in.
  expect(await proveEmail(logins.tenant, { userId: account.user_id, email: "ann@example.com", byCreator: false })).toBe(true);
  const profile = { subject: "stranger", emailVerified: false, emailOwned: false };
  const provider = { ...connection, name: "fieldnotes", strategy: "oidc" };
  const linked =
    what === "another account"
      ? linkUsers(logins.tenant, account, other, permitted)
      : linkUpstream(logins.tenant, provider, profile, account);
  await expect(linked).rejects.toMatchObject({ code: "conflict" });
  expect(await data.users.count({ linked_to: account.user_id })).toBe(0);
  const [stored] = await data.users.find({ where: { user_id: account.user_id }, limit: 1 });
  expect(stored).toMatchObject({ linked_count: 0, password_id: null });
});

test("a takeover removes the factors and the trusted browsers of an unproven sign-up", async () => {
  const logins = await createLogins();
  const account = await logins.addUser({ email: "ann@example.com" });
  const other = await logins.addUser({ email: "other@example.com" });
  let cookie: string | undefined;
  for (const user of [account, other]) {
    await storeFactor(logins.tenant, user, { type: "phone", address: "+4915112345678", confirmed: true });
    cookie = await trustBrowser(logins.tenant, user.user_id, cookie);
  }
  await logins.data.users.update({ user_id: account.user_id }, { set: { is_unproven_sign_up: true } });
  expect(await takeOverAccount(logins.tenant, await current(logins, account), "email", {})).toBe(true);
  expect(await remainingRecordsOf(logins, account, cookie)).toEqual({ factors: 0, listed: null, isTrusted: false });
  expect(await remainingRecordsOf(logins, other, cookie)).toEqual({ factors: 1, listed: ["phone"], isTrusted: true });
});

test("an account with a factor that is no unproven sign-up is not taken over, and keeps its factor, its linked account and its password", async () => {
  const logins = await createLogins();
  const account = await logins.addUser({ email: "ann@example.com" });
  const other = await logins.addUser({ email: "other@example.com" });
  await storeFactor(logins.tenant, account, { type: "phone", address: "+4915112345678", confirmed: true });
  await linkUsers(logins.tenant, await current(logins, account), other, permitted);
  expect(await takeOverAccount(logins.tenant, await current(logins, account), "email", {})).toBe(false);
  expect(await current(logins, account)).toMatchObject({ linked_count: 1, password_id: account.password_id, enrolled_factors: ["phone"] });
});

test("an account that gets its first factor during a takeover is not taken over, and keeps the factor", async () => {
  const logins = await createLogins();
  const account = await logins.addUser({ email: "ann@example.com" });
  const { users, consents } = logins.data;
  // The factor is added after the takeover found that the account has none.
  const delayed: typeof consents = {
    ...consents,
    find: async (query) => {
      await storeFactor(logins.tenant, account, { type: "phone", address: "+4915112345678", confirmed: true });
      return consents.find(query);
    },
  };
  const context = { ...logins.tenant, data: { ...logins.data, consents: delayed } };
  expect(await takeOverAccount(context, account, "email", {})).toBe(false);
  expect(await users.count({ user_id: account.user_id, password_id: account.password_id })).toBe(1);
  expect(await remainingRecordsOf(logins, account)).toMatchObject({ listed: ["phone"] });
});

test("linking and unlinking end the trust in browsers, because the factors of the user change", async () => {
  const logins = await createLogins();
  const [primary, account] = [await logins.addUser({ email: "ann@example.com" }), await logins.addUser({ email: "b@example.com" })];
  await storeFactor(logins.tenant, account, { type: "phone", address: "+4915112345678", confirmed: true });
  const trustBoth = async (): Promise<string | undefined> => {
    let cookie: string | undefined;
    for (const { user_id: id } of [primary, account]) cookie = await trustBrowser(logins.tenant, id, cookie);
    return cookie;
  };
  const first = await trustBoth();
  await linkUsers(logins.tenant, primary, await current(logins, account), permitted);
  expect(await remainingRecordsOf(logins, primary, first)).toEqual({ factors: 1, listed: ["phone"], isTrusted: false });
  const second = await trustBoth();
  expect(await unlinkUser(logins.tenant, primary, account.user_id)).toBe(true);
  expect(await remainingRecordsOf(logins, account, second)).toEqual({ factors: 1, listed: ["phone"], isTrusted: false });
  expect(await remainingRecordsOf(logins, primary, second)).toEqual({ factors: 0, listed: null, isTrusted: false });
});

test("a new password ends the trust in browsers and removes no factor", async () => {
  const logins = await createLogins();
  const account = await logins.addUser({ email: "ann@example.com" });
  await storeFactor(logins.tenant, account, { type: "phone", address: "+4915112345678", confirmed: true });
  const cookie = await trustBrowser(logins.tenant, account.user_id, undefined);
  await endAccess(logins.tenant, { event: "new-password", userId: account.user_id, keepSession: "s1" });
  expect(await remainingRecordsOf(logins, account, cookie)).toEqual({ factors: 1, listed: ["phone"], isTrusted: false });
});

async function remainingRecordsOf(logins: Logins, account: Row<"users">, cookie = ""): Promise<object> {
  const row = await current(logins, account);
  const isTrusted = await isBrowserTrusted(logins.tenant, row.user_id, cookie);
  return { factors: (await findFactors(logins.data, row)).length, listed: row.enrolled_factors, isTrusted };
}

async function current({ data }: Logins, account: Row<"users">): Promise<Row<"users">> {
  const [row] = await data.users.find({ where: { user_id: account.user_id }, limit: 1 });
  return row ?? account;
}
