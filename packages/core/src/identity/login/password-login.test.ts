import { beforeEach, describe, expect, test } from "vitest";
import { cheapTarget } from "../../../test/cheap-target.ts";
import {
  countingHasher,
  createLogins,
  rightPassword,
  type CountingHasher,
  type Logins,
  type TestLogin,
} from "../../../test/password-logins.ts";
import { BusyError } from "../../adapters/hasher.ts";
import { isPosternError } from "../../errors.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { createTargetHasher } from "../passwords/hasher.ts";

let hasher: CountingHasher;
let logins: Logins;

beforeEach(async () => {
  hasher = countingHasher();
  logins = await createLogins(hasher);
});

const kindOf = ({ kind }: TestLogin) => kind;
const types = ({ events }: TestLogin) => events.map(({ type }) => type);
const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));
const failTimes = async (count: number, identifier = "ann@example.com"): Promise<TestLogin[]> => {
  const answers = [];
  for (let i = 0; i < count; i++) answers.push(await logins.login(identifier, `wrong-${i}`));
  return answers;
};

describe("a correct password", () => {
  test("signs in and updates the account", async () => {
    const user = await logins.addUser();
    logins.clock.advance("1h");
    logins.statements.length = 0;
    const login = await logins.login(" Ann@Example.com ", rightPassword);
    const now = logins.clock.now();
    const expected = { ...user, last_login: now, last_ip: "192.0.2.1", logins_count: 1 };
    expect(login).toMatchObject({ kind: "signed-in", user: expected, account: expected });
    expect(await logins.data.users.find({ where: { user_id: user.user_id }, limit: 1 })).toEqual([expected]);
    expect(login.events).toEqual([
      {
        type: "s",
        client: { client_id: "app", name: "App" },
        connection: { id: logins.connection.id, name: "Users", strategy: "auth0" },
        user: { user_id: user.user_id, name: "ann@example.com" },
      },
    ]);
  });

  test("sends five statements and leaves no stored attempt", async () => {
    await logins.addUser();
    logins.statements.length = 0;
    await logins.login("ann@example.com", rightPassword);
    expect(logins.statements.toSorted()).toEqual(
      ["users.find", "login_attempts.insert", "passwords.find", "users.update", "login_attempts.delete"].toSorted(),
    );
    expect(await logins.data.login_attempts.count({})).toBe(0);
  });

  test("keeps the previous IP address if the new one is unknown", async () => {
    await logins.addUser();
    await logins.login("ann@example.com", rightPassword);
    const login = await logins.login("ann@example.com", rightPassword, { ip: undefined });
    expect(login).toMatchObject({ kind: "signed-in", user: { last_ip: "192.0.2.1", logins_count: 2 } });
  });

  test("for a blocked account is rejected as blocked, unlike a wrong password", async () => {
    await logins.addUser({ email: "ann@example.com", blocked: true });
    const wrong = await logins.login("ann@example.com", "wrong");
    expect([kindOf(wrong), types(wrong)]).toEqual(["wrong-credentials", ["fp"]]);
    const right = await logins.login("ann@example.com", rightPassword);
    expect([kindOf(right), types(right)]).toEqual(["blocked", ["f"]]);
    // The earlier failure still counts, because the login did not succeed.
    await failTimes(2);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("throttled");
  });
});

describe("a login with the correct password is rejected if the account changes after it was read:", () => {
  test.each([
    ["blocked", { blocked: true }, "blocked"],
    ["given another password", { password_id: "pwd_other" }, "wrong-credentials"],
    ["removed", { deleting_at: 1 }, "wrong-credentials"],
  ] as const)("the account is %s", async (_name, change, kind) => {
    const { user_id } = await logins.addUser();
    const { verify } = hasher;
    hasher.verify = async (...input) => {
      await logins.data.users.update({ user_id }, { set: change });
      return verify(...input);
    };
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe(kind);
  });
});

describe("failures", () => {
  test("three within five minutes throttle the account, even for the correct password, until the first of them is five minutes old", async () => {
    const { user_id } = await logins.addUser();
    const answers = [];
    for (let i = 0; i < 3; i++) {
      answers.push(await logins.login("ann@example.com", "wrong"));
      logins.clock.advance("1m");
    }
    expect(answers.map(kindOf)).toEqual(Array(3).fill("wrong-credentials"));
    expect(answers.map(types)).toEqual([["fp"], ["fp"], ["fp", "limit_wc"]]);
    expect(logins.throttled).toEqual([user_id]);

    logins.clock.advance(2 * 60_000 - 1);
    const throttled = await logins.login("ann@example.com", rightPassword);
    expect([kindOf(throttled), types(throttled)]).toEqual(["throttled", ["f"]]);
    expect(hasher.verified).toHaveLength(3);
    expect(hasher.dummyVerifications).toBe(1);

    logins.clock.advance(1);
    const again = await logins.login("ann@example.com", "wrong");
    expect(types(again)).toEqual(["fp", "limit_wc"]);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("throttled");
    logins.clock.advance("5m");
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("are cleared by a successful login", async () => {
    await logins.addUser();
    await failTimes(2);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
    expect((await failTimes(2)).map(kindOf)).toEqual(["wrong-credentials", "wrong-credentials"]);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("no longer throttle the account after a login with another method or a password reset", async () => {
    const { user_id } = await logins.addUser();
    await failTimes(3);
    await clearFailures(logins.data, user_id);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("with an unknown identifier have the same results, counts and statements as with a known one", async () => {
    await logins.addUser();
    const resultsOf = async (identifier: string) => {
      const seen = [];
      for (const spelling of [identifier, identifier.toUpperCase(), ` ${identifier}`, identifier]) {
        logins.statements.length = 0;
        const login = await logins.login(spelling, "wrong");
        seen.push({ kind: login.kind, statements: [...logins.statements] });
      }
      return seen;
    };
    const known = await resultsOf("ann@example.com");
    expect(await resultsOf("nobody@example.com")).toEqual(known);
    expect(known.map(({ kind }) => kind)).toEqual([...Array(3).fill("wrong-credentials"), "throttled"]);
    expect(hasher.verified.length + hasher.dummyVerifications).toBe(8);
  });

  test("with a linked account count for its primary account", async () => {
    const primary = await logins.addUser({ email: "ann@example.com" });
    const second = await logins.addUser({ email: "second@example.com" });
    await logins.link(second, primary);
    expect(kindOf(await logins.login("ann@example.com", "wrong"))).toBe("wrong-credentials");
    await failTimes(2, "second@example.com");
    for (const identifier of ["ann@example.com", "second@example.com"]) {
      expect(kindOf(await logins.login(identifier, rightPassword))).toBe("throttled");
    }
    logins.clock.advance("5m");
    const login = await logins.login("second@example.com", rightPassword);
    expect(login).toMatchObject({
      kind: "signed-in",
      user: { user_id: primary.user_id, logins_count: 1 },
      account: { user_id: second.user_id, logins_count: 0 },
      events: [{ type: "s", user: { user_id: primary.user_id } }],
    });
  });

  test("are logged with the identifier, unless it may be a password", async () => {
    await logins.addUser();
    const names = [];
    for (const identifier of ["ann@example.com", "Bob@Example.com", "+49 171 123", "hunter2"]) {
      names.push((await logins.login(identifier, "wrong")).events.map(({ type, user }) => `${type} ${user?.name}`)[0]);
    }
    expect(names).toEqual(["fp ann@example.com", "fu bob@example.com", "fu +49171123", "fu "]);
  });

  test.each([
    ["brute-force protection is off", { brute_force_protection: { enabled: false } }],
    ["no shield blocks", { brute_force_protection: { shields: [] } }],
    ["the client's IP address is on the allowlist", { brute_force_protection: { allowlist: ["192.0.2.0/24"] } }],
  ])("are not counted if %s", async (_name, stored) => {
    await logins.addUser();
    for (let i = 0; i < 4; i++) await logins.login("ann@example.com", "wrong", { protection: stored });
    expect(kindOf(await logins.login("ann@example.com", rightPassword, { protection: stored }))).toBe("signed-in");
  });

  test("throttle the account after the number that the tenant's settings allow", async () => {
    await logins.addUser();
    const protection = { brute_force_protection: { max_attempts: 1 } };
    await logins.login("ann@example.com", "wrong", { protection });
    expect(kindOf(await logins.login("ann@example.com", rightPassword, { protection }))).toBe("throttled");
  });
});

describe("parallel attempts", () => {
  test("with 50 wrong passwords verify at most three of them", async () => {
    await logins.addUser();
    hasher.delay = 5;
    const answers = await times(50, (i) => logins.login("ann@example.com", `wrong-${i}`));
    expect(hasher.verified).toHaveLength(3);
    expect(hasher.dummyVerifications).toBe(47);
    expect(answers.filter(({ kind }) => kind === "wrong-credentials")).toHaveLength(3);
    expect(answers.filter(({ kind }) => kind === "throttled")).toHaveLength(47);
    expect(answers.flatMap(types).filter((type) => type === "limit_wc")).toHaveLength(1);
  });

  test("with an unknown identifier have the same results as with a known one", async () => {
    hasher.delay = 5;
    const answers = await times(50, (i) => logins.login("nobody@example.com", `wrong-${i}`));
    expect(answers.filter(({ kind }) => kind === "wrong-credentials")).toHaveLength(3);
  });

  test("with the correct password all succeed", async () => {
    await logins.addUser();
    hasher.delay = 5;
    const answers = await times(8, () => logins.login("ann@example.com", rightPassword));
    expect(answers.map(kindOf)).toEqual(Array(8).fill("signed-in"));
    expect(await logins.data.login_attempts.count({})).toBe(0);
    expect(await logins.data.users.find({ where: { connection: "Users", email_key: "ann@example.com" }, limit: 1 })).toMatchObject([
      { logins_count: 8 },
    ]);
  });

  test("have the same results with a real password hasher", async () => {
    const real = await createLogins(createTargetHasher(cheapTarget));
    await real.addUser({ email: "ann@example.com" });
    await real.addUser({ email: "bob@example.com" });
    const [right, wrong] = await Promise.all([
      times(8, () => real.login("ann@example.com", rightPassword)),
      times(10, () => real.login("bob@example.com", "wrong")),
    ]);
    expect(right.map(kindOf)).toEqual(Array(8).fill("signed-in"));
    expect(wrong.filter(({ kind }) => kind === "wrong-credentials")).toHaveLength(3);
  });
});

describe("a hash", () => {
  const setHash = async (hash: string): Promise<void> => {
    const { password_id } = await logins.addUser();
    await logins.data.passwords.update({ id: password_id ?? "" }, { set: { hash } });
  };
  const hashes = async () => (await logins.data.passwords.find({ where: {}, limit: 10 })).map(({ hash }) => hash);

  test("that uses an older algorithm is replaced at the next login", async () => {
    await setHash(`old:${rightPassword}`);
    expect(kindOf(await logins.login("ann@example.com", "wrong"))).toBe("wrong-credentials");
    expect(await hashes()).toEqual([`old:${rightPassword}`]);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
    expect(await hashes()).toEqual([`new:${rightPassword}`]);
  });

  test("that cannot be replaced does not prevent the login", async () => {
    await setHash(`old:${rightPassword}`);
    hasher.hash = async () => {
      throw new BusyError("busy");
    };
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
    expect(logins.logged).toMatchObject([{ level: "warn", event: "password_rehash_failed" }]);
  });

  test("that this runtime cannot verify is logged and not counted as a failure", async () => {
    await setHash("strange:hash");
    for (let i = 0; i < 4; i++) {
      const error: unknown = await logins.login("ann@example.com", rightPassword).catch((thrown: unknown) => thrown);
      expect(isPosternError(error) && error.code).toBe("server_error");
    }
    expect(logins.logged).toHaveLength(4);
    expect(logins.logged[0]).toMatchObject({ level: "error", event: "password_hash_unsupported" });
    expect(JSON.stringify(logins.logged)).not.toContain("strange:");
    expect(await logins.data.login_attempts.count({})).toBe(0);
  });

  test("that was not verified because the hasher is busy is not counted as a failure", async () => {
    await logins.addUser();
    const { verify } = hasher;
    hasher.verify = async () => {
      throw new BusyError("busy");
    };
    for (let i = 0; i < 4; i++) await expect(logins.login("ann@example.com", rightPassword)).rejects.toThrow(BusyError);
    hasher.verify = verify;
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("that is missing, because the account has no password, is treated like a wrong password", async () => {
    await logins.addUser({ email: "bob@example.com", password: undefined });
    const login = await logins.login("bob@example.com", "anything");
    expect([kindOf(login), types(login), hasher.dummyVerifications]).toEqual(["wrong-credentials", ["fp"], 1]);
  });
});

describe("the rate limit by IP address", () => {
  const keys: string[] = [];
  const limiter = {
    consume: async (scope: string, key: string) => {
      keys.push(`${scope} ${key}`);
      return { allowed: false, retryAfterSeconds: 12 };
    },
  };

  test("is checked before the account is read and the password is hashed", async () => {
    await logins.addUser();
    logins.statements.length = 0;
    const login = await logins.login("ann@example.com", rightPassword, { limiter });
    expect([kindOf(login), types(login), keys, logins.statements]).toEqual(["refused", ["limit_mu"], ["pre-login t1:192.0.2.1"], []]);
    const error = login.kind === "refused" ? login.error : undefined;
    expect([error?.code, error?.status, error?.headers]).toEqual(["TOO_MANY_REQUESTS", 429, { "retry-after": "12" }]);
  });

  test("does not reject a login if the rate limiter fails, and both the failure and the login are audited", async () => {
    await logins.addUser();
    const broken = {
      consume: async () => {
        throw new Error("connection lost");
      },
    };
    expect(types(await logins.login("ann@example.com", rightPassword, { limiter: broken }))).toEqual(["w", "s"]);
  });
});
