import * as z from "zod";
import { isAddressRange } from "../../adapters/addresses.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { readStored, storedOnly, storedReader } from "../settings.ts";
import { changedStages } from "./stages.ts";

const mustBeRange = "must be an IP address or a CIDR range";

const allowlist = z.array(
  z
    .string()
    .max(64)
    .regex(/^(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f.:]*:[0-9A-Fa-f.:]*(?:%[0-9A-Za-z]+)?)(?:\/[0-9]+)?$/, mustBeRange)
    .refine(isAddressRange, mustBeRange)
    .meta({ description: "An IPv4 or IPv6 address, or a CIDR range" }),
);

const bruteForce = {
  enabled: z.boolean(),
  shields: z
    .array(z.enum(["block", "user_notification"]))
    .meta({ description: "Without `block`, attempts are neither counted nor rejected" }),
  allowlist: allowlist.max(100),
  mode: storedOnly(
    z.enum(["count_per_identifier_and_ip", "count_per_identifier"]),
    "In both modes, failed logins from any IP address are counted per account",
  ),
  max_attempts: z.int().min(1).max(100),
};

const preLogin = z.strictObject({ max_attempts: z.int().min(1).max(2500), rate: z.int().min(34_560).max(86_400_000) });
const laterStage = z.strictObject({ max_attempts: z.int().min(1).max(72_000), rate: z.int().min(1200).max(86_400_000) });
const laterChange = laterStage.exactPartial();
const stages = { "pre-login": preLogin, "pre-user-registration": laterStage, "pre-custom-token-exchange": laterStage };
const stageChanges = {
  "pre-login": preLogin.exactPartial(),
  "pre-user-registration": laterChange,
  "pre-custom-token-exchange": laterChange,
};

const suspiciousIp = {
  enabled: z.boolean(),
  shields: z
    .array(z.enum(["block", "admin_notification"]))
    .meta({ description: "Without `block`, attempts are neither counted nor rejected" }),
  allowlist: allowlist.max(100),
};
const stageNote = "The rate-limit adapter has its own thresholds. `rate` is in milliseconds per attempt";

/** The protection of accounts against password guessing, as the Management API returns it. */
export const bruteForceProtectionSchema = z.strictObject(bruteForce).meta({ id: "BruteForceProtection" });

/**
 * The body of `PATCH /api/v2/attack-protection/brute-force-protection`. Omitted fields stay unchanged; lists are
 * replaced.
 */
export const updateBruteForceProtectionSchema = z.strictObject(bruteForce).exactPartial().meta({ id: "UpdateBruteForceProtection" });

/** Rate limits per IP address, as the Management API returns them. */
export const suspiciousIpThrottlingSchema = z
  .strictObject({ ...suspiciousIp, stage: storedOnly(z.strictObject(stages), stageNote) })
  .meta({ id: "SuspiciousIpThrottling" });

/**
 * The body of `PATCH /api/v2/attack-protection/suspicious-ip-throttling`. Omitted fields, at every depth, stay
 * unchanged; lists are replaced.
 */
export const updateSuspiciousIpThrottlingSchema = z
  .strictObject({ ...suspiciousIp, stage: storedOnly(z.strictObject(stageChanges).exactPartial(), stageNote) })
  .exactPartial()
  .meta({ id: "UpdateSuspiciousIpThrottling" });

/** The stored settings: only those that a caller set. Members that a later version added are ignored. */
const storedSchema = z
  .object({
    brute_force_protection: z.object(bruteForce).exactPartial(),
    suspicious_ip_throttling: z.object({ ...suspiciousIp, stage: z.object(stages).exactPartial() }).exactPartial(),
  })
  .exactPartial();

/** The attack-protection settings of a tenant, including defaults. */
interface AttackProtection {
  readonly brute_force_protection: z.infer<typeof bruteForceProtectionSchema>;
  readonly suspicious_ip_throttling: z.infer<typeof suspiciousIpThrottlingSchema>;
}

/**
 * Auth0's defaults, except for the maximum number of attempts: three failed logins per account. Auth0 allows ten per
 * account and IP address.
 */
const defaults = {
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
} satisfies AttackProtection;

const readProtection = storedReader((stored) => readStored(storedSchema, stored));

/** Reads the attack-protection settings from the row of a tenant. */
export function attackProtectionSettings({ attack_protection: record }: Pick<Row<"tenants">, "attack_protection">): AttackProtection {
  const { brute_force_protection: accounts = {}, suspicious_ip_throttling: addresses = {} } = readProtection(record);
  const { stage } = defaults.suspicious_ip_throttling;
  return {
    brute_force_protection: { ...defaults.brute_force_protection, ...accounts },
    suspicious_ip_throttling: { ...defaults.suspicious_ip_throttling, ...addresses, stage: { ...stage, ...addresses.stage } },
  };
}

/** Returns the `attack_protection` column of a tenant after a change to brute-force protection. */
export function fromUpdateBruteForceProtection(
  { attack_protection: record }: Row<"tenants">,
  body: z.infer<typeof updateBruteForceProtectionSchema>,
): JsonObject {
  return { ...record, brute_force_protection: { ...readProtection(record).brute_force_protection, ...body } };
}

/** Returns the `attack_protection` column of a tenant after a change to suspicious IP throttling. */
export function fromUpdateSuspiciousIpThrottling(
  row: Row<"tenants">,
  { stage: change, ...body }: z.infer<typeof updateSuspiciousIpThrottlingSchema>,
): JsonObject {
  const before = readProtection(row.attack_protection).suspicious_ip_throttling;
  const changed = change && changedStages(attackProtectionSettings(row).suspicious_ip_throttling.stage, change);
  return {
    ...row.attack_protection,
    suspicious_ip_throttling: { ...before, ...body, ...(changed && { stage: { ...before?.stage, ...changed } }) },
  };
}
