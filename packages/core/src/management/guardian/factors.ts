import * as z from "zod";
import { tenantFactorSchema, unsupportedFactors } from "../../model/factors/factor-types.ts";
import { changeMultifactor, multifactorSettings, multifactorPolicySchema } from "../../model/factors/multifactor.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";

const enabledSchema = z.strictObject({ enabled: z.boolean() }).meta({ id: "FactorEnabled" });
const factorSchema = z
  .strictObject({ name: tenantFactorSchema, enabled: z.boolean(), trial_expired: z.literal(false) })
  .meta({ id: "GuardianFactor" });
const policiesSchema = z.array(multifactorPolicySchema).max(multifactorPolicySchema.options.length);

/** The routes for the factors that a tenant offers, and for the policies that require a factor. */
export const guardianFactors = [
  route({
    method: "GET",
    path: "/api/v2/guardian/factors",
    summary: "List the factors of the tenant",
    description: "Each factor that Auth0 has, and whether users may enroll and use it. By default, no factor is enabled.",
    scopes: ["read:guardian_factors"],
    responses: { 200: z.array(factorSchema) },
  })(async (_, { tenant }) => {
    const { factors } = multifactorSettings(tenant.record);
    return tenantFactorSchema.options.map((name) => ({ name, enabled: factors[name], trial_expired: false as const }));
  }),
  route({
    method: "PUT",
    path: "/api/v2/guardian/factors/:name",
    summary: "Enable or disable a factor",
    description:
      "Enabling a factor requires it of no user: a policy or an Action does. `push-notification`, `duo` and `webauthn-platform` cannot be enabled, because users could not enroll them.",
    scopes: ["update:guardian_factors"],
    params: z.object({ name: tenantFactorSchema }),
    body: enabledSchema,
    responses: { 200: enabledSchema, 409: { error: "conflict" } },
  })(async ({ params: { name }, body: { enabled } }, { tenant }) => {
    if (enabled && unsupportedFactors.includes(name)) throw invalidBody(`Postern does not support the factor '${name}'`);
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { factors: { [name]: enabled } }) }));
    return { enabled };
  }),
  route({
    method: "GET",
    path: "/api/v2/guardian/policies",
    summary: "List the policies that require a factor",
    description: "An empty list requires a factor only if an Action does. `confidence-score` has the effect of `all-applications`.",
    scopes: ["read:mfa_policies"],
    responses: { 200: policiesSchema },
  })(async (_, { tenant }) => [...multifactorSettings(tenant.record).policies]),
  route({
    method: "PUT",
    path: "/api/v2/guardian/policies",
    summary: "Replace the policies that require a factor",
    description:
      "The body is the list of policies. `all-applications` requires a factor at each login. `confidence-score` does the same: Postern computes no risk score, so the confidence in a login is always low.",
    scopes: ["update:mfa_policies"],
    body: policiesSchema,
    responses: { 200: policiesSchema, 409: { error: "conflict" } },
  })(async ({ body: policies }, { tenant }) => {
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { policies }) }));
    return policies;
  }),
];
