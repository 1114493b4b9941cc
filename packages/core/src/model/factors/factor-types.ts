import * as z from "zod";

/** The type of a factor in `factors.type` and in `users.enrolled_factors`. */
export const factorTypeSchema = z.enum(["totp", "phone", "email", "recovery-code", "webauthn-roaming", "webauthn-platform", "passkey"]);
export type FactorType = z.infer<typeof factorTypeSchema>;

/** A factor that a tenant can enable, with its name in the paths and bodies of `/api/v2/guardian/factors`. */
export const tenantFactorSchema = z.enum([
  "sms",
  "push-notification",
  "otp",
  "email",
  "duo",
  "webauthn-roaming",
  "webauthn-platform",
  "recovery-code",
]);
export type TenantFactor = z.infer<typeof tenantFactorSchema>;

/**
 * The type of a factor in the `mfa_requirements` of a token error, in Actions and in `/mfa/authenticators`. `passkey` is
 * a Postern extension: no response of the Authentication API contains it.
 */
export const apiFactorTypeSchema = z.enum([
  "otp",
  "phone",
  "push-notification",
  "email",
  "recovery-code",
  "webauthn-roaming",
  "webauthn-platform",
  "passkey",
]);
export type ApiFactorType = z.infer<typeof apiFactorTypeSchema>;

interface FactorNames {
  readonly api: ApiFactorType;
  /** Undefined for a passkey: a tenant enables passkeys for each connection. */
  readonly tenant?: TenantFactor;
}

const names: Readonly<Record<FactorType, FactorNames>> = {
  totp: { api: "otp", tenant: "otp" },
  phone: { api: "phone", tenant: "sms" },
  email: { api: "email", tenant: "email" },
  "recovery-code": { api: "recovery-code", tenant: "recovery-code" },
  "webauthn-roaming": { api: "webauthn-roaming", tenant: "webauthn-roaming" },
  "webauthn-platform": { api: "webauthn-platform", tenant: "webauthn-platform" },
  passkey: { api: "passkey" },
};

/** Returns the name of a factor type in `mfa_requirements` and in Actions. */
export function toApiFactorType(type: FactorType): ApiFactorType {
  return names[type].api;
}

/** Returns the stored type for a type of the API. Undefined for `push-notification`, which Postern does not support. */
export function fromApiFactorType(type: ApiFactorType): FactorType | undefined {
  return factorTypeSchema.options.find((one) => names[one].api === type);
}

/**
 * Returns the name of a factor type in `/api/v2/guardian/factors`. Undefined for `passkey`: a tenant enables passkeys
 * for each connection.
 */
export function toTenantFactor(type: FactorType): TenantFactor | undefined {
  return names[type].tenant;
}

/**
 * Returns the type of the factors that users enroll if the tenant enables this factor. Undefined for
 * `push-notification` and `duo`, which Postern does not support.
 */
export function fromTenantFactor(factor: TenantFactor): FactorType | undefined {
  return factorTypeSchema.options.find((one) => names[one].tenant === factor);
}

/**
 * The factors that a tenant can use alone. Auth0 offers `email`, `webauthn-platform` and `recovery-code` only if one of
 * these is enabled.
 */
export const independentFactors: readonly TenantFactor[] = ["otp", "sms", "push-notification", "webauthn-roaming", "duo"];

/** The factors of Auth0 that users cannot enroll in Postern. Their settings are stored, but enabling them is rejected. */
export const unsupportedFactors: readonly TenantFactor[] = ["push-notification", "duo", "webauthn-platform"];
