import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { reserveFactorAttempt } from "../../packages/core/src/identity/factors/factor-attempts.ts";
import { confirmedFactors, storeFactor, findFactors } from "../../packages/core/src/identity/factors/factors.ts";
import { createRecoveryCode, useRecoveryCode } from "../../packages/core/src/identity/factors/recovery-code.ts";
import { newTotpSecret, verifyTotp } from "../../packages/core/src/identity/factors/totp.ts";
import { trustBrowser } from "../../packages/core/src/identity/factors/trusted-browser.ts";
import { sweepExpired } from "../../packages/core/src/operations/sweep/sweep.ts";
import type { Row } from "../../packages/core/src/store/schema.ts";
import { createLogins, type Logins } from "../../packages/core/test/password-logins.ts";

const stores: readonly (readonly [string, () => Promise<DataAdapter>])[] = [
  ["in memory", async () => createMemoryAdapter({ strict: true })],
  [
    "on SQLite",
    async () => {
      const data = await openDatabase("sqlite::memory:");
      await data.migrate();
      return data;
    },
  ],
];

describe.each(stores)("second factors %s", (_, open) => {
  let store: DataAdapter;
  let logins: Logins;
  let user: Row<"users">;

  beforeEach(async () => {
    store = await open();
    logins = await createLogins(undefined, { collections: store.collections });
    user = await logins.addUser();
  });
  afterEach(() => store.close?.());

  const inParallel = <T>(call: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 32 }, call));

  test("accepts a code of an authenticator app once, and an older one never", async () => {
    const totpSecret = newTotpSecret(logins.tenant.random);
    const factor = await storeFactor(logins.tenant, user, { type: "totp", totpSecret, confirmed: true });
    const codeAt = (timestamp: number): string => TOTP.generate({ secret: Secret.fromBase32(totpSecret), timestamp });
    const code = codeAt(logins.clock.now());
    const accepted = await inParallel(async () => verifyTotp(logins.tenant, factor, code));
    expect(accepted.filter((verdict) => verdict === "right")).toHaveLength(1);
    expect(await verifyTotp(logins.tenant, factor, codeAt(logins.clock.now() - 30_000))).toBe("wrong");
    expect(await verifyTotp(logins.tenant, factor, codeAt(logins.clock.now() + 30_000))).toBe("right");
  });

  test("accepts a recovery code once", async () => {
    const code = await createRecoveryCode(logins.tenant, user);
    const next = await inParallel(async () => useRecoveryCode(logins.tenant, user, code));
    expect(next.filter((text) => text !== undefined)).toHaveLength(1);
  });

  test("allows ten of 32 parallel attempts", async () => {
    const attempts = await inParallel(async () => reserveFactorAttempt(logins.tenant, user.user_id, "totp"));
    expect(attempts.filter((attempt) => attempt !== "throttled")).toHaveLength(10);
  });

  test("sweep deletes unconfirmed factors and ended trust, and no confirmed factor", async () => {
    await storeFactor(logins.tenant, user, { type: "email", address: "ann@example.com" });
    const confirmed = await storeFactor(logins.tenant, user, { type: "phone", address: "+4915112345678", confirmed: true });
    await trustBrowser(logins.tenant, user.user_id, undefined);
    logins.clock.advance("6d");
    await sweepExpired(logins.tenant, store.collections, 1000, 0);
    expect(await findFactors(logins.data, user)).toEqual([confirmed]);
    expect(await logins.data.trusted_browsers.count({ user_id: user.user_id })).toBe(1);
    logins.clock.advance("2d");
    await sweepExpired(logins.tenant, store.collections, 1000, 0);
    expect(confirmedFactors(await findFactors(logins.data, user))).toEqual([confirmed]);
    expect(await logins.data.trusted_browsers.count({ user_id: user.user_id })).toBe(0);
  });
});
