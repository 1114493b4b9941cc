import {
  attackProtectionSettings as readSettings,
  bruteForceProtectionSchema,
  fromUpdateBruteForceProtection,
  fromUpdateSuspiciousIpThrottling,
  suspiciousIpThrottlingSchema,
  updateBruteForceProtectionSchema,
  updateSuspiciousIpThrottlingSchema,
} from "../../model/tenant/attack-protection.ts";
import { route } from "../../tenants/callers/route-context.ts";

const bruteForcePath = "/api/v2/attack-protection/brute-force-protection";
const suspiciousIpPath = "/api/v2/attack-protection/suspicious-ip-throttling";

const bruteForce = [
  route({
    method: "GET",
    path: bruteForcePath,
    summary: "Get brute-force protection",
    scopes: ["read:attack_protection"],
    responses: { 200: bruteForceProtectionSchema },
  })(async (_, { tenant }) => readSettings(tenant.record).brute_force_protection),
  route({
    method: "PATCH",
    path: bruteForcePath,
    summary: "Update brute-force protection",
    description: "Omitted members stay unchanged. Lists are replaced.",
    scopes: ["update:attack_protection"],
    body: updateBruteForceProtectionSchema,
    responses: { 200: bruteForceProtectionSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const record = await tenant.change((current) => ({ attack_protection: fromUpdateBruteForceProtection(current, body) }));
    return readSettings(record).brute_force_protection;
  }),
];

const suspiciousIp = [
  route({
    method: "GET",
    path: suspiciousIpPath,
    summary: "Get suspicious IP throttling",
    scopes: ["read:attack_protection"],
    responses: { 200: suspiciousIpThrottlingSchema },
  })(async (_, { tenant }) => readSettings(tenant.record).suspicious_ip_throttling),
  route({
    method: "PATCH",
    path: suspiciousIpPath,
    summary: "Update suspicious IP throttling",
    description: "Omitted members stay unchanged, including stages and their members. Lists are replaced.",
    scopes: ["update:attack_protection"],
    body: updateSuspiciousIpThrottlingSchema,
    responses: { 200: suspiciousIpThrottlingSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const record = await tenant.change((current) => ({ attack_protection: fromUpdateSuspiciousIpThrottling(current, body) }));
    return readSettings(record).suspicious_ip_throttling;
  }),
];

/**
 * The routes for brute-force protection and suspicious IP throttling, which apply to password logins.
 */
export const attackProtectionRoutes = [...bruteForce, ...suspiciousIp];
