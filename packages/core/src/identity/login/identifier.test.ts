import { expect, test } from "vitest";
import { createLogins, rightPassword } from "../../../test/password-logins.ts";
import { identifierKinds, readIdentifier } from "./identifier.ts";

const active = { identifier: { active: true } };

test.each([
  ["an email address", {}, " Ann@Example.com ", "ann@example.com", ["email_key"]],
  ["a username", {}, "Ann", "ann", ["username_key"]],
  ["a phone number", {}, "+49 (171) 123-4567", "+491711234567", ["phone_key"]],
  ["a phone number in other digits", {}, "+٤٩ ١٧١ ١٢٣٤٥٦٧", "+491711234567", ["phone_key"]],
  ["a phone number that is too short today", {}, "+49 (171) 12-34", "+491711234", ["phone_key"]],
  ["an email address that may be a username", { requires_username: true }, "a@b.example", "a@b.example", ["email_key", "username_key"]],
  ["a phone number if only email addresses are active", { attributes: { email: active } }, "+49171", "+49171", []],
  ["an email address if usernames are active", { attributes: { username: active } }, "a@b.example", "a@b.example", ["username_key"]],
  ["a username if email addresses are active", { attributes: { email: active } }, "ann", "ann", []],
  ["text that is too long for any key", {}, "a".repeat(129), "a".repeat(129), []],
] as const)("readIdentifier parses %s", async (_name, options, typed, text, keys) => {
  const { connection } = await createLogins(undefined, { connection: { options } });
  expect(await readIdentifier(connection, typed)).toEqual({ text, keys });
});

test.each([
  ["an email address", {}, ["email"]],
  ["a username as well", { requires_username: true }, ["email", "username"]],
  ["active identifiers", { attributes: { phone_number: active, username: active, email: {} } }, ["username", "phone"]],
] as const)("the login form asks for %s", async (_name, options, kinds) => {
  const { connection } = await createLogins(undefined, { connection: { options } });
  expect(identifierKinds(connection)).toEqual(kinds);
});

test("an account signs in with each of its identifiers, and its failures with all of them are counted together", async () => {
  const logins = await createLogins();
  await logins.addUser({ email: "ann@example.com", username: "Ann", phone_number: "+491711234567" });
  for (const identifier of ["ANN@example.com", "ann", "+49 171 1234567"]) {
    expect((await logins.login(identifier, rightPassword)).kind).toBe("signed-in");
  }
  for (const identifier of ["ann@example.com", "ann", "+491711234567"]) await logins.login(identifier, "wrong");
  expect((await logins.login("ann", rightPassword)).kind).toBe("throttled");
});

test("an email address takes precedence over another account's username with the same text", async () => {
  const logins = await createLogins(undefined, { connection: { options: { requires_username: true } } });
  await logins.addUser({ email: "bob@example.com", username: "ann@example.com" });
  const ann = await logins.addUser({ email: "ann@example.com", username: "ann" });
  expect(await logins.login("ann@example.com", rightPassword)).toMatchObject({ kind: "signed-in", user: { user_id: ann.user_id } });
});

test("a login does not find accounts in another connection", async () => {
  const logins = await createLogins();
  await logins.addUser();
  const other = { ...logins.connection, name: "Others" };
  expect((await logins.login("ann@example.com", rightPassword, { connection: other })).kind).toBe("wrong-credentials");
});

test("no failures are counted in a connection that disables brute-force protection", async () => {
  const logins = await createLogins(undefined, { connection: { options: { brute_force_protection: false } } });
  await logins.addUser();
  for (let i = 0; i < 4; i++) await logins.login("ann@example.com", "wrong");
  expect((await logins.login("ann@example.com", rightPassword)).kind).toBe("signed-in");
});
