import { expect, test } from "vitest";
import { createLogins } from "../../../test/password-logins.ts";
import { userId } from "../../store/description.ts";
import { schema, type CollectionName } from "../../store/schema.ts";
import { accountRecords, takeOverAccount, type ProvenIdentifier } from "./account-access.ts";
import { linkUpstream } from "./link-upstream.ts";
import { linkUsers } from "./link-users.ts";
import { proveEmail } from "./prove-email.ts";

/** Matches names of fields that contain the id of an account, in any record. */
const accountField = /(^|_)(user_id|user|account_id|account|linked_to)$|_by$/;

/** Fields with such a name that do not contain an account. */
const others = ["email_providers.account"];

test("every record that refers to an account is in the table of account records", () => {
  const named = Object.entries(schema).flatMap(([name, { fields }]) =>
    Object.entries(fields)
      .filter(([field, declared]) => declared === userId || accountField.test(field))
      .map(([field]) => `${name}.${field}`),
  );
  const listed = Object.entries(accountRecords).flatMap(([name, { fields }]) => fields.map((field) => `${name}.${field}`));
  expect([...listed, ...others].toSorted()).toEqual(named.toSorted());
});

test("a record that gives access lists the events that end it, and is deleted with the account unless it is an exception", () => {
  const stay: readonly string[] = ["users", "invitations", "logs"] satisfies CollectionName[];
  for (const [name, { ends, remove, reason }] of Object.entries(accountRecords)) {
    expect(reason, name).toMatch(/^[A-Z].+\.$/);
    expect(ends?.on, name).not.toEqual([]);
    expect(remove === undefined, name).toBe(stay.includes(name));
  }
});

test.each<[ProvenIdentifier, string]>([
  ["email", "email_key"],
  ["phone_number", "phone_key"],
])("a takeover with the %s leaves the account no other identifier and no password", async (proven, kept) => {
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
  // The attacker signed in before the takeover and links after it. The write depends on the account that was signed
  // in.
  expect(await proveEmail(logins.tenant, { userId: account.user_id, email: "ann@example.com", byCreator: false })).toBe(true);
  const profile = { subject: "stranger", emailVerified: false, emailOwned: false };
  const provider = { ...connection, name: "fieldnotes", strategy: "oidc" };
  const linked =
    what === "another account" ? linkUsers(logins.tenant, account, other) : linkUpstream(logins.tenant, provider, profile, account);
  await expect(linked).rejects.toMatchObject({ code: "conflict" });
  expect(await data.users.count({ linked_to: account.user_id })).toBe(0);
  const [stored] = await data.users.find({ where: { user_id: account.user_id }, limit: 1 });
  expect(stored).toMatchObject({ linked_count: 0, password_id: null });
});
