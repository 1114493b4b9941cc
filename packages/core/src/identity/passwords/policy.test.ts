import { describe, expect, test } from "vitest";
import { BusyError, UnsupportedHashError, type PasswordHasher } from "../../adapters/hasher.ts";
import { checkHistory } from "./history.ts";
import { maximumPasswordBytes } from "./limits.ts";
import { checkPolicy, historySize, passwordRules, type PasswordPolicyOptions } from "./policy.ts";

const noOwner = {};
/** Disables the check for common passwords unless the options enable it. */
const plain: PasswordPolicyOptions = { password_dictionary: { enable: false } };
const refused = async (password: string, options: PasswordPolicyOptions, owner: object = noOwner) =>
  (await checkPolicy(password, { ...plain, ...options }, owner))?.name;

describe("strength", () => {
  test.each([
    ["none", "", "a"],
    ["low", "short", "longer"],
    ["fair", "Abcdef1", "Abcdefg1"],
    ["fair", "abcdefg1", "Abcdefg1"],
    ["fair", "ABCDEFG1", "Abcdefg1"],
    ["fair", "Abcdefgh", "Abcdefg1"],
    ["good", "abcdefg1", "abcdef1!"],
    ["good", "Abcde1!", "Abcdef1!"],
    ["excellent", "Abcdefg1!", "Abcdefgh1!"],
    ["excellent", "Abcdefggg1!", "Abcdefgg1!"],
  ] as const)("%s rejects %j and accepts %j", async (passwordPolicy, bad, good) => {
    expect(await refused(bad, { passwordPolicy })).toBe("PasswordStrengthError");
    expect(await refused(good, { passwordPolicy })).toBeUndefined();
  });

  test("the default policy is `none`", async () => {
    expect(await refused("a", {})).toBeUndefined();
    expect(await refused("a", { passwordPolicy: null, password_complexity_options: null })).toBeUndefined();
    expect(await refused("", {})).toBe("PasswordStrengthError");
  });

  test("a custom minimum length replaces the minimum of the level, even if it is shorter", async () => {
    expect(await refused("Abcdef1!", { passwordPolicy: "good", password_complexity_options: { min_length: 12 } })).toBe(
      "PasswordStrengthError",
    );
    expect(await refused("Abc1", { passwordPolicy: "fair", password_complexity_options: { min_length: 4 } })).toBeUndefined();
  });

  test("letters in every script count as upper or lower case, and lengths are counted in code points", async () => {
    expect(await refused("\u0410\u0431\u0432\u0433\u0434\u0435\u0436 1", { passwordPolicy: "fair" })).toBeUndefined();
    expect(await refused("\u{1f600}".repeat(4), { passwordPolicy: "low" })).toBe("PasswordStrengthError");
    expect(await refused("e\u0301".repeat(5), { passwordPolicy: "low" })).toBe("PasswordStrengthError");
  });

  test("the fault has the format that Auth0's clients expect", async () => {
    expect(await checkPolicy("hello", { passwordPolicy: "good" }, noOwner)).toEqual({
      name: "PasswordStrengthError",
      message: "Password is too weak",
      code: "invalid_password",
      description: {
        rules: [
          { message: "At least %d characters in length", format: [8], code: "lengthAtLeast", verified: false },
          {
            message: "Contain at least %d of the following %d types of characters:",
            format: [3, 4],
            code: "containsAtLeast",
            items: [
              { message: "lower case letters (a-z)", code: "lowerCase", verified: true },
              { message: "upper case letters (A-Z)", code: "upperCase", verified: false },
              { message: "numbers (i.e. 0-9)", code: "numbers", verified: false },
              { message: "special characters (e.g. !@#$%^&*)", code: "specialCharacters", verified: false },
            ],
            verified: false,
          },
        ],
        verified: false,
      },
      policy:
        "* At least 8 characters in length\n* Contain at least 3 of the following 4 types of characters:\n" +
        " * lower case letters (a-z)\n * upper case letters (A-Z)\n * numbers (i.e. 0-9)\n * special characters (e.g. !@#$%^&*)",
    });
    const excellent = await checkPolicy("aaa", { passwordPolicy: "excellent" }, noOwner);
    expect(excellent?.policy).toContain('* No more than 2 identical characters in a row (e.g., "aaa" not allowed)');
  });

  test("a password that is too long is rejected with a rule of its own", async () => {
    expect(await refused("a".repeat(maximumPasswordBytes), {})).toBeUndefined();
    expect((await checkPolicy("\u00e9".repeat(maximumPasswordBytes / 2 + 1), {}, noOwner))?.description).toMatchObject({
      rules: [{ verified: true }, { code: "maxLength", verified: false }],
    });
  });
});

describe("the newer format of the options", () => {
  test.each([
    [{ min_length: 12 }, "elevenchars", "twelve chars"],
    [{ character_types: ["number", "special"] }, "letters1", "letters1!"],
    [{ character_types: ["uppercase"], character_type_rule: "all" }, "letters", "Letters"],
    [{ character_type_rule: "three_of_four" }, "letters1", "Letters1"],
    [{ identical_characters: "block" }, "baaad", "baad"],
    [{ sequential_characters: "block" }, "xaBcx", "xabdx"],
    [{ sequential_characters: "block" }, "x321x", "x32x23"],
    [{ sequential_characters: "block" }, "x789x", "x9090x"],
  ] as const)("%j rejects %j and accepts %j", async (complexity, bad, good) => {
    expect(await refused(bad, { password_options: { complexity } })).toBe("PasswordStrengthError");
    expect(await refused(good, { password_options: { complexity } })).toBeUndefined();
  });

  test("is combined with the older format: the greater minimum length applies, and the rules of both without duplicates", async () => {
    const options: PasswordPolicyOptions = {
      passwordPolicy: "fair",
      password_complexity_options: { min_length: 4 },
      password_options: {
        complexity: { min_length: 6, character_types: ["lowercase", "uppercase", "number"], identical_characters: "block" },
      },
    };
    expect(await refused("Abcd1", options)).toBe("PasswordStrengthError");
    expect(await refused("abcde1", options)).toBe("PasswordStrengthError");
    expect(await refused("Abccc1", options)).toBe("PasswordStrengthError");
    expect(await refused("Abcde1", options)).toBeUndefined();
    expect(passwordRules("", options).map(({ code }) => code)).toEqual(["lengthAtLeast", "shouldContain", "identicalChars"]);
  });

  test("supports a dictionary, a history and fields of the user", async () => {
    const dictionary = { password_options: { dictionary: { active: true, custom: ["Acme2026"] } } };
    for (const common of ["Password123", "aCmE2026"]) expect(await refused(common, dictionary)).toBe("PasswordDictionaryError");
    expect(await refused("aCmE2026", { password_options: { dictionary: { active: false, custom: ["Acme2026"] } } })).toBeUndefined();
    expect(historySize({ password_options: { history: { active: true } } })).toBe(5);
    expect(historySize({ password_options: { history: { active: true, size: 2 } }, password_history: { enable: true, size: 3 } })).toBe(3);
    expect(historySize({ password_options: { history: { active: false, size: 9 } } })).toBe(0);
    const owner = { email: "jane.doe@example.com", family_name: "Smithers", user_metadata: { city: "Paris" } };
    const blocked = { password_options: { profile_data: { active: true, blocked_fields: ["family_name", "user_metadata.city"] } } };
    for (const bad of ["xsmithers1", "2paris2"]) expect(await refused(bad, blocked, owner)).toBe("PasswordNoUserInfoError");
    expect(await refused("jane.doe1", blocked, owner)).toBeUndefined();
    expect(await refused("jane.doe1", { password_options: { profile_data: { active: true } } }, owner)).toBe("PasswordNoUserInfoError");
  });
});

describe("common passwords", () => {
  test("are rejected by default, in upper or lower case and in any Unicode form", async () => {
    for (const common of ["123456", "password", "Password123", "LetMeIn", "trustno1", "\uff30\uff21\uff33\uff33\uff37\uff2f\uff32\uff24"]) {
      expect(await checkPolicy(common, {}, noOwner)).toEqual({
        name: "PasswordDictionaryError",
        message: "Password is too common",
        code: "invalid_password",
        description: "Password is not allowed, it might be too common.",
      });
    }
    expect(await checkPolicy("drawbridge-9", {}, noOwner)).toBeUndefined();
  });

  test.each([
    ["repetitions", ["aaaaaaaa", "1313131313", "abcabcabc", "passwordpassword", "\u{1f600}\u{1f600}\u{1f600}\u{1f600}"]],
    ["sequences of the alphabet", ["abcdefgh", "87654321", "0123456789", "\u0430\u0431\u0432\u0433\u0434"]],
    ["adjacent keys of a keyboard", ["qwertz", "QWERTZUIOP", "azertyuiop", "1qaz", "asdfghjkl", "\u00fcpoiuztrewq"]],
  ])("include %s", async (_, all) => {
    for (const common of all)
      expect([common, await refused(common, { password_dictionary: null })]).toEqual([common, "PasswordDictionaryError"]);
  });

  test.each(["a", "ab1", "x7$Kx7$K", "qwertzx", "abcdefgi", "aaaaaaab"])("do not include %j", async (password) => {
    expect(await checkPolicy(password, {}, noOwner)).toBeUndefined();
  });

  test.each([
    [{ password_dictionary: { enable: false } }, false],
    [{ password_options: { dictionary: { active: false } } }, false],
    [{ password_dictionary: { enable: false }, password_options: { dictionary: { active: true } } }, true],
    [{ password_dictionary: { enable: true }, password_options: { dictionary: { active: false } } }, true],
    [{ password_dictionary: null, password_options: { dictionary: { custom: ["x"] } } }, true],
  ] satisfies [PasswordPolicyOptions, boolean][])("are rejected with the options %j: %s", async (options, are) => {
    expect((await checkPolicy("password123", options, noOwner)) !== undefined).toBe(are);
  });

  test("can be limited to the ten thousand most common ones", async () => {
    const list = (size: "en_10k" | "en_100k") => ({ password_options: { dictionary: { default: size } } });
    expect(await checkPolicy("letmein", list("en_10k"), noOwner)).toBeDefined();
    expect(await checkPolicy("trustno1", list("en_10k"), noOwner)).toBeDefined();
    expect(await checkPolicy("dimazarya", list("en_10k"), noOwner)).toBeUndefined();
    expect(await checkPolicy("dimazarya", list("en_100k"), noOwner)).toBeDefined();
    expect(await checkPolicy("dimazarya", {}, noOwner)).toBeDefined();
  });

  test("include the words in the connection's custom dictionary, in upper or lower case", async () => {
    const password_dictionary = { enable: true, dictionary: ["Acme2026"] };
    expect(await refused("aCmE2026", { password_dictionary })).toBe("PasswordDictionaryError");
    expect(await refused("Acme20261", { password_dictionary })).toBeUndefined();
    expect(await refused("aCmE2026", { password_options: { dictionary: { custom: ["Acme2026"] } } })).toBe("PasswordDictionaryError");
    expect(await refused("Acme2026", { password_dictionary: { enable: false, dictionary: ["Acme2026"] } })).toBeUndefined();
  });
});

test("a password must not contain the user's personal data", async () => {
  const owner = {
    email: "jane.doe@example.com",
    username: "jd42",
    name: "Jane",
    nickname: null,
    user_metadata: { first: "Janet", last: "Li", name: 5 },
  };
  const options = { password_no_personal_info: { enable: true } };
  for (const bad of ["xJANE.doe1", "my-JD42", "jane1234", "x-janet-x"])
    expect(await refused(bad, options, owner)).toBe("PasswordNoUserInfoError");
  for (const good of ["xLI5liLi", "example.com", "jan e.doe"]) expect(await refused(good, options, owner)).toBeUndefined();
  expect(await refused("jane1234", {}, owner)).toBeUndefined();
});

test("historySize returns the size in the connection's options", async () => {
  expect(historySize({})).toBe(0);
  expect(historySize({ password_history: { enable: false, size: 9 } })).toBe(0);
  expect(historySize({ password_history: { enable: true } })).toBe(5);
  expect(historySize({ password_history: { enable: true, size: 9 } })).toBe(9);
  expect(historySize({ password_history: { enable: true, size: 99 } })).toBe(24);
});

test("checkHistory rejects a former password, ignores a hash that cannot be verified, and throws if the hasher is busy", async () => {
  const hasher: Pick<PasswordHasher, "verify"> = {
    verify: async (password, stored) => {
      if (stored === "unsupported") throw new UnsupportedHashError();
      if (stored === "busy") throw new BusyError();
      return stored === password ? "match-rehash" : "no-match";
    },
  };
  const check = (hashes: string[]) => checkHistory("old", hashes, hasher, "main");
  expect(await check(["a", "unsupported", "old"])).toMatchObject({ name: "PasswordHistoryError", code: "invalid_password" });
  expect(await check(["a", "unsupported"])).toBeUndefined();
  await expect(check(["busy", "old"])).rejects.toBeInstanceOf(BusyError);
});
