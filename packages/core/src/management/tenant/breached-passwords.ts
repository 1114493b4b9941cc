import {
  breachedPasswordDetection as readSettings,
  breachedPasswordDetectionSchema,
  fromUpdateBreachedPasswordDetection,
  updateBreachedPasswordDetectionSchema,
} from "../../model/tenant/breached-passwords.ts";
import { route } from "../../tenants/callers/route-context.ts";

const path = "/api/v2/attack-protection/breached-password-detection";

/** The routes for breached-password detection, which checks new passwords against the configured list. */
export const breachedPasswords = [
  route({
    method: "GET",
    path,
    summary: "Get breached-password detection",
    scopes: ["read:attack_protection"],
    responses: { 200: breachedPasswordDetectionSchema },
  })(async (_, { tenant }) => readSettings(tenant.record, tenant.host.breachedPasswords !== undefined)),
  route({
    method: "PATCH",
    path,
    summary: "Update breached-password detection",
    description: "Omitted members stay unchanged, including stages and their members. Lists are replaced.",
    scopes: ["update:attack_protection"],
    body: updateBreachedPasswordDetectionSchema,
    responses: { 200: breachedPasswordDetectionSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const available = tenant.host.breachedPasswords !== undefined;
    const record = await tenant.change((current) => ({
      attack_protection: fromUpdateBreachedPasswordDetection(current, body, available),
    }));
    return readSettings(record, available);
  }),
];
