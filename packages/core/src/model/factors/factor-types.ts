import * as z from "zod";
import { factorKinds } from "./kinds.ts";
import type { FactorKind } from "./kinds/kind.ts";

/** The type of a factor in `factors.type` and in `users.enrolled_factors`. */
export const factorTypeSchema = z.enum(factorKinds.map(({ type }) => type));
export type FactorType = z.infer<typeof factorTypeSchema>;

/** All types of factors, the strongest first. */
export const factorsByStrength: readonly FactorType[] = factorTypeSchema.options;

/** The factors of Auth0 that users cannot enroll in Postern. Their settings are stored, but enabling them is rejected. */
export const unsupportedFactors: readonly string[] = ["push-notification", "duo", "webauthn-platform"];

/** The factors that a tenant can enable in Auth0, in the order of Auth0's list. */
const auth0Factors = ["sms", "push-notification", "otp", "email", "duo", "webauthn-roaming", "webauthn-platform", "recovery-code"] as const;

/** A factor that a tenant can enable, with its name in the paths and bodies of `/api/v2/guardian/factors`. */
export const tenantFactorSchema = z.enum([
  ...new Set([...auth0Factors, ...factorKinds.flatMap((kind) => ("tenant" in kind ? [kind.tenant] : []))]),
]);
export type TenantFactor = z.infer<typeof tenantFactorSchema>;

/** The type of a factor in the `mfa_requirements` of a token error, in Actions and in `/mfa/authenticators`. */
export const apiFactorTypeSchema = z.enum([...factorKinds.map(({ api }) => api), "push-notification"]);
export type ApiFactorType = z.infer<typeof apiFactorTypeSchema>;

const kinds: ReadonlyMap<string, FactorKind> = new Map(factorKinds.map((kind) => [kind.type, kind]));

/** Returns the row of a type of factor in the table of kinds. */
export function factorKind(type: FactorType): FactorKind {
  const kind = kinds.get(type);
  if (kind === undefined) throw new Error(`there is no factor '${type}'`);
  return kind;
}

/** Returns the types of factors that have a use, the strongest first. */
export function factorsThat(use: keyof FactorKind["uses"]): readonly FactorType[] {
  return factorsByStrength.filter((type) => factorKind(type).uses[use]);
}

/** Returns the name of a factor type in `mfa_requirements` and in Actions. */
export function toApiFactorType(type: FactorType): ApiFactorType {
  return apiFactorTypeSchema.parse(factorKind(type).api);
}

/** Returns the stored type for a type of the API. Undefined for `push-notification`, which Postern does not support. */
export function fromApiFactorType(type: ApiFactorType): FactorType | undefined {
  return factorsByStrength.find((one) => factorKind(one).api === type);
}

/**
 * Returns the name of a factor type in `/api/v2/guardian/factors`. Undefined for `passkey`: a tenant enables passkeys
 * for each connection.
 */
export function toTenantFactor(type: FactorType): TenantFactor | undefined {
  return tenantFactorSchema.safeParse(factorKind(type).tenant).data;
}

/**
 * Returns the type of the factors that users enroll if the tenant enables this factor. Undefined for
 * `push-notification` and `duo`, which Postern does not support.
 */
export function fromTenantFactor(factor: TenantFactor): FactorType | undefined {
  return factorsByStrength.find((one) => factorKind(one).tenant === factor);
}

/**
 * The factors that a tenant can use alone. Auth0 offers `email`, `webauthn-platform` and `recovery-code` only if one of
 * these is enabled.
 */
export const independentFactors: readonly TenantFactor[] = [
  ...factorsThat("protectsAlone").flatMap((type) => toTenantFactor(type) ?? []),
  "push-notification",
  "duo",
];
