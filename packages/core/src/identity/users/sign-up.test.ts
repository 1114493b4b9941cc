import { describe, expect, test, vi } from "vitest";
import { createLogins, countingHasher, type Logins } from "../../../test/password-logins.ts";
import { deletionOf } from "./delete-user.ts";
import { signUp, type SignUpResult, type SignUpAttempt } from "./sign-up.ts";
import { signUpFields } from "./sign-up-fields.ts";

const password = "Correct-horse-7";
const email = "ada@example.com";

function attempt({ tenant, connection }: Logins, sent: object, more: Partial<SignUpAttempt> = {}): Promise<SignUpResult> {
  return signUp(tenant, { connection, client: undefined, sent: { password, ...sent }, ...more });
}

async function withOptions(options: object): Promise<Logins> {
  return createLogins(countingHasher(), { connection: { options } });
}

const all = { identifier: { active: true }, signup: { status: "optional" } };
const everything = { attributes: { email: all, username: all, phone_number: all } };

test("creates an account with the submitted data and an unverified email address, and the user can sign in", async () => {
  const logins = await withOptions({});
  const signedUp = await attempt(logins, { email: " Ada@Example.com ", given_name: "Ada", user_metadata: { plan: "gold" } });
  expect(signedUp).toMatchObject({
    kind: "created",
    user: { email, email_verified: false, given_name: "Ada", user_metadata: { plan: "gold" }, app_metadata: {} },
  });
  expect(await logins.login(email, password)).toMatchObject({ kind: "signed-in" });
});

test("ignores submitted fields that only an administrator can set", async () => {
  const logins = await withOptions({});
  const sent = { user_id: "x|y", email_verified: true, phone_verified: true, blocked: true, app_metadata: { admin: true } };
  const { user } = Object(await attempt(logins, { email, ...sent }));
  expect(user).toMatchObject({ email_verified: false, phone_verified: false, blocked: false, app_metadata: {} });
  expect(user.user_id).toMatch(/^Users\|/);
});

test("a sign-up with a taken email address creates nothing and leaves the existing account unchanged", async () => {
  const logins = await withOptions({});
  const owner = await logins.addUser({ email });
  expect(await attempt(logins, { email: "ADA@example.com", user_metadata: { mine: true } })).toMatchObject({
    kind: "taken",
    fields: ["email"],
    owner,
    identifiers: { email },
  });
  expect(await logins.data.users.count({})).toBe(1);
  expect(await logins.data.passwords.count({})).toBe(1);
  expect(await logins.login(email, password)).toMatchObject({ kind: "wrong-credentials" });
});

test("of parallel sign-ups with the same email address, one creates the account", async () => {
  const logins = await withOptions({});
  const kinds = (await Promise.all(Array.from({ length: 8 }, () => attempt(logins, { email })))).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(["created", ...Array.from({ length: 7 }, () => "taken")]);
  expect(await logins.data.passwords.count({})).toBe(1);
});

test("a sign-up with a taken email address hashes and writes the password, as with a new email address", async () => {
  const logins = await withOptions({});
  await logins.addUser({ email });
  const free = await statementsOf(logins, { email: "free@example.com" });
  const taken = await statementsOf(logins, { email });
  expect(taken.slice(0, free.length)).toEqual(free);
  expect(free).toEqual(["passwords.insert", "users.insert"]);
});

async function statementsOf(logins: Logins, sent: object): Promise<readonly string[]> {
  const before = logins.statements.length;
  await attempt(logins, sent);
  return logins.statements.slice(before);
}

test("a password that the policy rejects has the same result with a taken and with a new email address", async () => {
  const logins = await withOptions({ passwordPolicy: "good" });
  await logins.addUser({ email });
  const taken = await attempt(logins, { email, password: "short" });
  expect(taken).toMatchObject({ kind: "refused", fault: { name: "PasswordStrengthError", code: "invalid_password" } });
  expect(await attempt(logins, { email: "free@example.com", password: "short" })).toEqual(taken);
});

test("a password must not contain the submitted profile data", async () => {
  const logins = await withOptions({ password_no_personal_info: { enable: true }, passwordPolicy: "none" });
  const named = { email, given_name: "Ada", nickname: "countess" };
  expect(await attempt(logins, { ...named, password: "the-countess-9" })).toMatchObject({ fault: { name: "PasswordNoUserInfoError" } });
});

test.each([
  [{ disable_signup: true }, "public signup is disabled"],
  [{ authentication_methods: { password: { signup_behavior: "block" } } }, "public signup is disabled"],
  [{ authentication_methods: { password: { enabled: false } } }, "the connection has no passwords"],
  [{ import_mode: true }, "public signup is not possible if users are imported from another database (import_mode)"],
  [
    { attributes: { email: { identifier: { active: true }, signup: { status: "inactive" } } } },
    "public signup has no field that users can sign in with",
  ],
])("rejects sign-ups in a connection with the options %j", async (options, message) => {
  const logins = await withOptions(options);
  expect(await attempt(logins, { email })).toEqual({ kind: "closed", message });
  expect(signUpFields(logins.connection)).toMatchObject({ open: false });
  expect(await statementsOf(logins, { email })).toEqual([]);
});

test.each<[object, object]>([
  [{}, { email: "required", username: "inactive", phone_number: "inactive", open: true }],
  [{ requires_username: true }, { email: "required", username: "required", phone_number: "inactive" }],
  [everything, { email: "optional", username: "optional", phone_number: "optional", identifiers: ["email", "username", "phone_number"] }],
  [
    { attributes: { phone_number: { identifier: { active: true } }, email: { signup: { status: "optional" } } } },
    { email: "optional", username: "inactive", phone_number: "required" },
  ],
  [
    { attributes: { phone_number: { identifier: { active: true } }, email: { profile_required: true } } },
    { email: "required", phone_number: "required", identifiers: ["phone_number"] },
  ],
  [
    {
      attributes: {
        phone_number: { identifier: { active: true } },
        email: { identifier: { active: true }, signup: { status: "required" } },
      },
    },
    { email: "required", username: "inactive", phone_number: "optional" },
  ],
])("with the options %j, the sign-up has the fields %j", async (options, fields) => {
  expect(signUpFields((await withOptions(options)).connection)).toMatchObject(fields);
});

test.each<[object, object, object]>([
  [{}, {}, { field: "email", problem: "missing", message: "'email' is missing" }],
  [{}, { email: "  " }, { field: "email", problem: "missing" }],
  [{}, { email, username: "ada" }, { field: "username", problem: "inactive", message: "'username' is not accepted by the connection" }],
  [{ requires_username: true }, { email }, { field: "username", problem: "missing" }],
  [everything, {}, { field: "email", problem: "missing", message: "one of 'email', 'username', 'phone_number' is missing" }],
])("with the options %j, rejects a sign-up with %j", async (options, sent, fault) => {
  expect(await attempt(await withOptions(options), sent)).toMatchObject({ kind: "invalid", fault });
});

test.each([
  "ada",
  "ada@",
  "@example.com",
  "ada@example.com\r\nBcc: eve@example.com",
  '"ada lovelace"@example.com',
  "ädä@example.com",
  "a@b@c.com",
])("rejects the email address %j", async (typed) => {
  expect(await attempt(await withOptions({}), { email: typed })).toMatchObject({ fault: { field: "email", problem: "malformed" } });
});

describe("a phone number", () => {
  test("is stored in E.164 form and found by a sign-in in any notation", async () => {
    const logins = await withOptions(everything);
    const typed = " +49 (151) 2345-6789 ";
    expect(await attempt(logins, { phone_number: typed })).toMatchObject({
      user: { phone_number: "+4915123456789", phone_verified: false },
    });
    expect(await logins.login(typed, password)).toMatchObject({ kind: "signed-in" });
    expect(await attempt(logins, { phone_number: "+49 151 2345 6789" })).toMatchObject({ kind: "taken", fields: ["phone_number"] });
  });

  test.each([
    "0151 23456789",
    "+1",
    "+999 123 456 789",
    "+12345678901234567890",
    "+1 800 FLOWERS",
    "+1 415 555 2671 ext 5",
    "tel:+14155552671",
    "+1 415 555 2671, +1 415 555 2672",
    "+1 415 555 26",
    "+14155552671\r\nBcc: eve@example.com",
  ])("must not be %j", async (typed) => {
    expect(await attempt(await withOptions(everything), { phone_number: typed })).toEqual({
      kind: "invalid",
      fault: {
        field: "phone_number",
        problem: "malformed",
        message: "'phone_number' must be a phone number in international form, with + and the country code",
      },
    });
  });

  test.each(["0049 151 23456789", "+49 (0)151 23456789"])("in the form %j is rejected with its right spelling", async (typed) => {
    expect(await attempt(await withOptions(everything), { phone_number: typed })).toMatchObject({
      kind: "invalid",
      fault: { field: "phone_number", problem: "malformed", misspelled: { correction: "+4915123456789" } },
    });
  });
});

describe("a username", () => {
  const validation = (rules: object) => ({ attributes: { username: { identifier: { active: true }, validation: rules } } });

  test.each<[object, string]>([
    [{ requires_username: true }, "ada.lovelace_1815"],
    [{ requires_username: true }, "ada lovelace"],
    [{ requires_username: true }, "ädä"],
    [{ requires_username: true }, "a@b.co"],
    [{ requires_username: true }, "+4915123456"],
    [{ requires_username: true, validation: { username: { min: 4, max: 20 } } }, "ada"],
    [validation({ min_length: 4 }), "ada"],
    [validation({ max_length: 3 }), "adas"],
  ])("in a connection with the options %j must not be %j", async (options, username) => {
    const sent = "requires_username" in options ? { email, username } : { username };
    expect(await attempt(await withOptions(options), sent)).toMatchObject({ fault: { field: "username", problem: "malformed" } });
  });

  test.each<[object, string]>([
    [{ requires_username: true, validation: { username: { min: 4, max: 20 } } }, "ada.lovelace_1815"],
    [validation({ allowed_types: { email: true } }), "a@b.co"],
    [validation({ allowed_types: { phone_number: true } }), "+4915123456"],
    [validation({ max_length: 20 }), "Ada-Lovelace-1815"],
  ])("in a connection with the options %j may be %j", async (options, username) => {
    const logins = await withOptions(options);
    const sent = "requires_username" in options ? { email, username } : { username };
    expect(await attempt(logins, sent)).toMatchObject({ kind: "created", user: { username } });
    expect(await attempt(logins, { ...sent, username: username.toUpperCase() })).toMatchObject({ kind: "taken" });
  });
});

describe("the audit log of sign-ups", () => {
  test("contains an event for a new account, with the client and the connection", async () => {
    const logins = await withOptions({});
    const { user } = Object(await attempt(logins, { email }, { client: logins.client }));
    expect(logins.audited).toMatchObject([
      { type: "ss", client: { client_id: "app" }, connection: { name: "Users" }, user: { user_id: user.user_id } },
    ]);
  });

  test("contains an event for a taken email address, with the user who has it", async () => {
    const logins = await withOptions({});
    const owner = await logins.addUser({ email });
    expect(await attempt(logins, { email })).toMatchObject({ kind: "taken" });
    expect(logins.audited).toMatchObject([
      { type: "fs", description: "An account already exists (email).", user: { user_id: owner.user_id } },
    ]);
  });

  test("contains an event for a password that the policy rejects, with the reason", async () => {
    const logins = await withOptions({});
    expect(await attempt(logins, { email, password: "short" })).toMatchObject({ kind: "refused" });
    expect(logins.audited).toMatchObject([{ type: "fs", description: expect.stringContaining("weak") }]);
  });

  test("contains no event for a sign-up without an identifier", async () => {
    const logins = await withOptions({});
    expect(await attempt(logins, {})).toMatchObject({ kind: "invalid" });
    expect(logins.audited).toEqual([]);
  });
});

describe("a form that is submitted again", () => {
  const formId = "0123456789abcdef";

  test("creates one account and one audit event", async () => {
    const logins = await withOptions({});
    const [first, second] = [await attempt(logins, { email }, { formId }), await attempt(logins, { email }, { formId })];
    expect(second).toMatchObject({ kind: "created", user: { user_id: Object(first).user.user_id } });
    expect(logins.audited.map(({ type }) => type)).toEqual(["ss"]);
  });

  test("does not return the account that it created if the email address was verified since", async () => {
    const logins = await withOptions({});
    const { user } = Object(await attempt(logins, { email }, { formId }));
    await logins.data.users.update({ user_id: user.user_id }, { set: { email_verified: true } });
    expect(await attempt(logins, { email }, { formId })).toMatchObject({ kind: "taken" });
  });

  test("with another password changes the password of the account that the same login created before", async () => {
    const logins = await withOptions({});
    const { user: earlier } = Object(await attempt(logins, { email }));
    const changed = "Another-horse-8";
    expect(await attempt(logins, { email, password: changed }, { earlier })).toMatchObject({
      kind: "created",
      user: { user_id: earlier.user_id },
    });
    expect(logins.audited.map(({ type }) => type)).toEqual(["ss", "scp"]);
    expect(await logins.login(email, password)).toMatchObject({ kind: "wrong-credentials" });
    expect(await logins.login(email, changed)).toMatchObject({ kind: "signed-in" });
    expect(await attempt(logins, { email }, { earlier })).toMatchObject({ kind: "taken" });
  });
});

describe("a sign-up with a passkey", () => {
  const formId = "0123456789abcdef";
  const passkey = { credentialHash: "hash", credential: {}, signCount: 0 };
  const signUpWithPasskey = (logins: Logins, more: Partial<SignUpAttempt> = {}): Promise<SignUpResult> =>
    attempt(logins, { email, password: undefined }, { passkey, formId, ...more });

  test("stores the confirmed passkey before the account, so that a crash leaves no account without it", async () => {
    const logins = await withOptions({});
    const insert = logins.data.users.insert.bind(logins.data.users);
    let stored: readonly object[] = [];
    logins.data.users.insert = async (rows) => {
      stored = await logins.data.factors.find({ where: { user_id: `Users|${formId}` }, limit: 10 });
      return insert(rows);
    };
    const { user } = Object(await signUpWithPasskey(logins));
    expect(stored).toMatchObject([{ type: "passkey", credential_hash: "hash", confirmed_at: expect.any(Number), expires_at: null }]);
    expect(user).toMatchObject({ enrolled_factors: ["passkey"], factors_changed_at: expect.any(Number), password_id: null });
  });

  test("leaves no passkey if the email address is taken", async () => {
    const logins = await withOptions({});
    await logins.addUser({ email });
    expect(await signUpWithPasskey(logins)).toMatchObject({ kind: "taken", fields: ["email"] });
    expect(await logins.data.factors.count({})).toBe(0);
  });

  test("adds no passkey to the account of an earlier submission that another user has verified", async () => {
    const logins = await withOptions({});
    const { user } = Object(await signUpWithPasskey(logins));
    await logins.data.users.update({ user_id: user.user_id }, { set: { email_verified: true } });
    const inserts = vi.spyOn(logins.data.factors, "insert");
    const other = { ...passkey, credentialHash: "another hash" };
    expect(await signUpWithPasskey(logins, { passkey: other })).toMatchObject({ kind: "taken" });
    // A passkey that is inserted and deleted again could be used in between.
    expect(inserts).not.toHaveBeenCalled();
    expect(await logins.data.factors.find({ where: {}, limit: 10 })).toMatchObject([{ credential_hash: "hash" }]);
  });

  test("creates no account if the passkey is enrolled already", async () => {
    const logins = await withOptions({});
    await signUpWithPasskey(logins);
    const again = await signUpWithPasskey(logins, { formId: "fedcba9876543210", sent: { email: "other@example.com" } });
    expect(again).toMatchObject({ kind: "taken", fields: [] });
    expect(await logins.data.users.count({})).toBe(1);
  });

  test("keeps the passkey if an account with the same id was being deleted", async () => {
    const logins = await withOptions({});
    const { user } = Object(await signUpWithPasskey(logins));
    await logins.data.users.update({ user_id: user.user_id }, { set: deletionOf(logins.tenant) });
    expect(await signUpWithPasskey(logins, { passkey: { ...passkey, credentialHash: "another hash" } })).toMatchObject({ kind: "created" });
    expect(await logins.data.factors.find({ where: {}, limit: 10 })).toMatchObject([{ credential_hash: "another hash" }]);
  });
});

test("an invited user signs up with only the email address, although the connection is closed for sign-ups and requires a username", async () => {
  const logins = await withOptions({ disable_signup: true, requires_username: true });
  expect(await attempt(logins, { email })).toMatchObject({ kind: "closed" });
  expect(await attempt(logins, { email }, { isInvited: true })).toMatchObject({ kind: "created", user: { email, username: null } });
});
