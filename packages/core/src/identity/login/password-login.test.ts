import { beforeEach, describe, expect, test } from "vitest";
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
import { canDerive } from "../passwords/derive.ts";
import { createPasswordHasher } from "../passwords/hasher.ts";

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

describe("a right password", () => {
  test("logs in, and is written down on the account", async () => {
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

  test("takes five statements and leaves no trace of the try", async () => {
    await logins.addUser();
    logins.statements.length = 0;
    await logins.login("ann@example.com", rightPassword);
    expect(logins.statements.toSorted()).toEqual(
      ["users.find", "login_attempts.insert", "passwords.find", "users.update", "login_attempts.delete"].toSorted(),
    );
    expect(await logins.data.login_attempts.count({})).toBe(0);
  });

  test("keeps the address of the login before when its own is unknown", async () => {
    await logins.addUser();
    await logins.login("ann@example.com", rightPassword);
    const login = await logins.login("ann@example.com", rightPassword, { ip: undefined });
    expect(login).toMatchObject({ kind: "signed-in", user: { last_ip: "192.0.2.1", logins_count: 2 } });
  });

  test("on a blocked account is told that it is blocked; a wrong one is not", async () => {
    await logins.addUser({ email: "ann@example.com", blocked: true });
    const wrong = await logins.login("ann@example.com", "wrong");
    expect([kindOf(wrong), types(wrong)]).toEqual(["wrong-credentials", ["fp"]]);
    const right = await logins.login("ann@example.com", rightPassword);
    expect([kindOf(right), types(right)]).toEqual(["blocked", ["f"]]);
    // The failure before it still counts: this was no login.
    await failTimes(2);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("throttled");
  });
});

describe("what happens between reading and writing is not overlooked", () => {
  test.each([
    ["blocked", { blocked: true }, "blocked"],
    ["given another password", { password_id: "pwd_other" }, "wrong-credentials"],
    ["removed", { deleting_at: 1 }, "wrong-credentials"],
  ] as const)("an account is %s", async (_name, change, kind) => {
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
  test("three within five minutes throttle, whatever the password, until the third last is five minutes old", async () => {
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
    expect(hasher.decoys).toBe(1);

    logins.clock.advance(1);
    const again = await logins.login("ann@example.com", "wrong");
    expect(types(again)).toEqual(["fp", "limit_wc"]);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("throttled");
    logins.clock.advance("5m");
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("a login forgets them", async () => {
    await logins.addUser();
    await failTimes(2);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
    expect((await failTimes(2)).map(kindOf)).toEqual(["wrong-credentials", "wrong-credentials"]);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("a login in another way, or a reset, ends the throttling", async () => {
    const { user_id } = await logins.addUser();
    await failTimes(3);
    await clearFailures(logins.data, user_id);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("with unknown identifiers are counted and answered alike, by the same statements", async () => {
    await logins.addUser();
    const asked = async (identifier: string) => {
      const seen = [];
      for (const spelling of [identifier, identifier.toUpperCase(), ` ${identifier}`, identifier]) {
        logins.statements.length = 0;
        const login = await logins.login(spelling, "wrong");
        seen.push({ kind: login.kind, statements: [...logins.statements] });
      }
      return seen;
    };
    const known = await asked("ann@example.com");
    expect(await asked("nobody@example.com")).toEqual(known);
    expect(known.map(({ kind }) => kind)).toEqual([...Array(3).fill("wrong-credentials"), "throttled"]);
    expect(hasher.verified.length + hasher.decoys).toBe(8);
  });

  test("of linked accounts count on the primary", async () => {
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

  test("say in the log whose they were, but no identifier that may be a password", async () => {
    await logins.addUser();
    const names = [];
    for (const identifier of ["ann@example.com", "Bob@Example.com", "+49 171 123", "hunter2"]) {
      names.push((await logins.login(identifier, "wrong")).events.map(({ type, user }) => `${type} ${user?.name}`)[0]);
    }
    expect(names).toEqual(["fp ann@example.com", "fu bob@example.com", "fu +49171123", "fu "]);
  });

  test.each([
    ["it is off", { brute_force_protection: { enabled: false } }],
    ["nothing is to be blocked", { brute_force_protection: { shields: [] } }],
    ["the address is on the allowlist", { brute_force_protection: { allowlist: ["192.0.2.0/24"] } }],
  ])("are not counted where %s", async (_name, stored) => {
    await logins.addUser();
    for (let i = 0; i < 4; i++) await logins.login("ann@example.com", "wrong", { protection: stored });
    expect(kindOf(await logins.login("ann@example.com", rightPassword, { protection: stored }))).toBe("signed-in");
  });

  test("throttle after as many as the tenant says", async () => {
    await logins.addUser();
    const protection = { brute_force_protection: { max_attempts: 1 } };
    await logins.login("ann@example.com", "wrong", { protection });
    expect(kindOf(await logins.login("ann@example.com", rightPassword, { protection }))).toBe("throttled");
  });
});

describe("parallel tries", () => {
  test("of 50 wrong passwords at most three are evaluated", async () => {
    await logins.addUser();
    hasher.delay = 5;
    const answers = await times(50, (i) => logins.login("ann@example.com", `wrong-${i}`));
    expect(hasher.verified).toHaveLength(3);
    expect(hasher.decoys).toBe(47);
    expect(answers.filter(({ kind }) => kind === "wrong-credentials")).toHaveLength(3);
    expect(answers.filter(({ kind }) => kind === "throttled")).toHaveLength(47);
    expect(answers.flatMap(types).filter((type) => type === "limit_wc")).toHaveLength(1);
  });

  test("with an unknown identifier are answered like those of an account", async () => {
    hasher.delay = 5;
    const answers = await times(50, (i) => logins.login("nobody@example.com", `wrong-${i}`));
    expect(answers.filter(({ kind }) => kind === "wrong-credentials")).toHaveLength(3);
  });

  test("of eight right passwords all succeed", async () => {
    await logins.addUser();
    hasher.delay = 5;
    const answers = await times(8, () => logins.login("ann@example.com", rightPassword));
    expect(answers.map(kindOf)).toEqual(Array(8).fill("signed-in"));
    expect(await logins.data.login_attempts.count({})).toBe(0);
    expect(await logins.data.users.find({ where: { connection: "Users", email_key: "ann@example.com" }, limit: 1 })).toMatchObject([
      { logins_count: 8 },
    ]);
  });

  test("behave so with real hashes", async ({ skip }) => {
    skip(!canDerive("argon2"), "this runtime has no Argon2, and what takes longer is told to come again on a busy machine");
    const real = await createLogins(createPasswordHasher({ algorithm: "argon2id" }));
    await real.addUser({ email: "ann@example.com" });
    await real.addUser({ email: "bob@example.com" });
    const [right, wrong] = await Promise.all([
      times(8, () => real.login("ann@example.com", rightPassword)),
      times(10, () => real.login("bob@example.com", "wrong")),
    ]);
    expect(right.map(kindOf)).toEqual(Array(8).fill("signed-in"));
    expect(wrong.filter(({ kind }) => kind === "wrong-credentials")).toHaveLength(3);
  }, 30_000);
});

describe("a hash", () => {
  const setHash = async (hash: string): Promise<void> => {
    const { password_id } = await logins.addUser();
    await logins.data.passwords.update({ id: password_id ?? "" }, { set: { hash } });
  };
  const hashes = async () => (await logins.data.passwords.find({ where: {}, limit: 10 })).map(({ hash }) => hash);

  test("of a former algorithm is replaced", async () => {
    await setHash(`old:${rightPassword}`);
    expect(kindOf(await logins.login("ann@example.com", "wrong"))).toBe("wrong-credentials");
    expect(await hashes()).toEqual([`old:${rightPassword}`]);
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
    expect(await hashes()).toEqual([`new:${rightPassword}`]);
  });

  test("that cannot be replaced now does not keep anybody out", async () => {
    await setHash(`old:${rightPassword}`);
    hasher.hash = async () => {
      throw new BusyError("busy");
    };
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
    expect(logins.told).toMatchObject([{ level: "warn", event: "password_rehash_failed" }]);
  });

  test("that this runtime cannot verify is the operator's matter, and no failure", async () => {
    await setHash("strange:hash");
    for (let i = 0; i < 4; i++) {
      const error: unknown = await logins.login("ann@example.com", rightPassword).catch((thrown: unknown) => thrown);
      expect(isPosternError(error) && error.code).toBe("server_error");
    }
    expect(logins.told).toHaveLength(4);
    expect(logins.told[0]).toMatchObject({ level: "error", event: "password_hash_unsupported" });
    expect(JSON.stringify(logins.told)).not.toContain("strange:");
    expect(await logins.data.login_attempts.count({})).toBe(0);
  });

  test("that nobody had time for is no failure", async () => {
    await logins.addUser();
    const { verify } = hasher;
    hasher.verify = async () => {
      throw new BusyError("busy");
    };
    for (let i = 0; i < 4; i++) await expect(logins.login("ann@example.com", rightPassword)).rejects.toThrow(BusyError);
    hasher.verify = verify;
    expect(kindOf(await logins.login("ann@example.com", rightPassword))).toBe("signed-in");
  });

  test("that an account lacks is a wrong password", async () => {
    await logins.addUser({ email: "bob@example.com", password: undefined });
    const login = await logins.login("bob@example.com", "anything");
    expect([kindOf(login), types(login), hasher.decoys]).toEqual(["wrong-credentials", ["fp"], 1]);
  });
});

describe("the limit by address", () => {
  const keys: string[] = [];
  const limiter = {
    consume: async (scope: string, key: string) => {
      keys.push(`${scope} ${key}`);
      return { allowed: false, retryAfterSeconds: 12 };
    },
  };

  test("comes before everything else", async () => {
    await logins.addUser();
    logins.statements.length = 0;
    const login = await logins.login("ann@example.com", rightPassword, { limiter });
    expect([kindOf(login), types(login), keys, logins.statements]).toEqual(["refused", ["limit_mu"], ["pre-login t1:192.0.2.1"], []]);
    const error = login.kind === "refused" ? login.error : undefined;
    expect([error?.code, error?.status, error?.headers]).toEqual(["TOO_MANY_REQUESTS", 429, { "retry-after": "12" }]);
  });

  test("that could not be asked is on record beside the login", async () => {
    await logins.addUser();
    const broken = {
      consume: async () => {
        throw new Error("connection lost");
      },
    };
    expect(types(await logins.login("ann@example.com", rightPassword, { limiter: broken }))).toEqual(["w", "s"]);
  });
});
