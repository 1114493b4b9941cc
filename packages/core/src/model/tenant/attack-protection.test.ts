import { expect, test } from "vitest";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import {
  attackProtectionSettings,
  bruteForceProtectionSchema,
  fromUpdateBruteForceProtection,
  fromUpdateSuspiciousIpThrottling,
  suspiciousIpThrottlingSchema,
  updateBruteForceProtectionSchema,
  updateSuspiciousIpThrottlingSchema,
} from "./attack-protection.ts";

const tenant = (record: JsonObject = {}): Row<"tenants"> => ({
  id: "t1",
  name: "t1",
  friendly_name: "t1",
  settings: {},
  branding: {},
  attack_protection: record,
  multifactor: {},
  organization_id: null,
  member_access: {},
  ready_at: 0,
  lease_until: 0,
  counted_until: 0,
  revision: 0,
  created_at: 0,
  updated_at: 0,
  deleting_at: null,
});

test("the defaults are Auth0's, except for three attempts per account", () => {
  expect(attackProtectionSettings(tenant())).toEqual({
    brute_force_protection: {
      enabled: true,
      shields: ["block", "user_notification"],
      allowlist: [],
      mode: "count_per_identifier",
      max_attempts: 3,
    },
    suspicious_ip_throttling: {
      enabled: true,
      shields: ["admin_notification", "block"],
      allowlist: [],
      stage: {
        "pre-login": { max_attempts: 100, rate: 864_000 },
        "pre-user-registration": { max_attempts: 50, rate: 1200 },
        "pre-custom-token-exchange": { max_attempts: 10, rate: 600_000 },
      },
    },
  });
});

test("an update stores only the fields of the body, so that later defaults still apply", () => {
  const record = fromUpdateBruteForceProtection(tenant({ later: 1 }), updateBruteForceProtectionSchema.parse({ max_attempts: 10 }));
  expect(record).toEqual({ later: 1, brute_force_protection: { max_attempts: 10 } });
  const both = fromUpdateBruteForceProtection(tenant(record), updateBruteForceProtectionSchema.parse({ allowlist: ["10.0.0.0/8"] }));
  expect(both["brute_force_protection"]).toEqual({ max_attempts: 10, allowlist: ["10.0.0.0/8"] });
});

test("an update of one stage leaves the other stages unchanged", () => {
  const stage = { "pre-login": { max_attempts: 7, rate: 40_000 } };
  const record = fromUpdateSuspiciousIpThrottling(tenant(), updateSuspiciousIpThrottlingSchema.parse({ stage, enabled: false }));
  const other = { "pre-user-registration": { max_attempts: 1, rate: 1200 } };
  const changed = fromUpdateSuspiciousIpThrottling(tenant(record), updateSuspiciousIpThrottlingSchema.parse({ stage: other }));
  expect(changed).toEqual({ suspicious_ip_throttling: { enabled: false, stage: { ...stage, ...other } } });
  expect(attackProtectionSettings(tenant(changed)).suspicious_ip_throttling.stage).toMatchObject({ ...stage, ...other });
});

test("the response to a read is accepted as the body of an update", () => {
  const { brute_force_protection: accounts, suspicious_ip_throttling: addresses } = attackProtectionSettings(tenant());
  expect(updateBruteForceProtectionSchema.parse(bruteForceProtectionSchema.parse(accounts))).toEqual(accounts);
  expect(updateSuspiciousIpThrottlingSchema.parse(suspiciousIpThrottlingSchema.parse(addresses))).toEqual(addresses);
});

test.each([
  { max_attempts: 0 },
  { max_attempts: 101 },
  { allowlist: ["example.com"] },
  { allowlist: ["10.0.0.0/40"] },
  { mode: "x" },
  { other: 1 },
])("the attack-protection settings %j are rejected", (body) => {
  expect(updateBruteForceProtectionSchema.safeParse(body).success).toBe(false);
});
