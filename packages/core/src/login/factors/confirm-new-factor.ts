import { confirmOwnFactor } from "../../identity/factors/confirm-own-factor.ts";
import { enrollKey } from "../../identity/factors/enroll-key.ts";
import { hasIndependentFactor } from "../../identity/factors/factor-policy.ts";
import { discardFactor, type Factor } from "../../identity/factors/factors.ts";
import type { HashedRecoveryCode } from "../../identity/factors/recovery-code.ts";
import { webauthnTypes } from "../../identity/webauthn/credential.ts";
import type { Registration } from "../../identity/webauthn/registration.ts";
import { factorTypeSchema, type FactorType } from "../../model/factors/factor-types.ts";
import { parseKeyResponse } from "../steps/webauthn/key-response.ts";
import { enterCode, type FactorResult, type EnteredCode } from "./challenge.ts";
import type { FactorContext } from "./context.ts";
import { newFactorTarget } from "./new-factor.ts";

/** Where a user adds a factor. */
export interface EnrollmentContext extends FactorContext {
  /**
   * Called after the first code or response of the new factor was right, before the factor is confirmed.
   * @returns the first recovery code of the user, which becomes valid with the factor: undefined if the user gets none.
   * `taken`: another request adds its factor here, so this factor is not confirmed.
   */
  readonly prepare: (factor: Factor) => Promise<HashedRecoveryCode | "taken" | undefined>;
}

/**
 * The result of a new factor. `already-enrolled`: it would be the user's first factor, but another one was added since.
 * `unavailable`: it has expired or was removed, or another request added its factor.
 */
export type NewFactorResult =
  | {
      readonly kind: "confirmed";
      readonly factor: Factor;
      readonly type: FactorType;
      /** The user's first recovery code. It must be shown to the user. */
      readonly recoveryCode?: string;
    }
  | { readonly kind: "already-enrolled"; readonly factor: Factor }
  | { readonly kind: "unavailable" }
  | Exclude<FactorResult, { readonly kind: "passed" }>;

/** Verifies the first code of a new factor, and confirms the factor if it is right. */
export async function confirmNewFactor(
  context: EnrollmentContext,
  factor: Factor,
  submitted: Omit<EnteredCode, "isRepeatable">,
): Promise<NewFactorResult> {
  const type = factorTypeSchema.parse(factor.type);
  const added = { type, candidates: [factor], target: newFactorTarget(factor) };
  const result = await enterCode(context, "add-factor", added, { ...submitted, isRepeatable: false });
  return result.kind === "passed" ? confirm(context, factor, type) : result;
}

/** The part of the context that a new passkey or security key needs. */
type KeyContext = Pick<EnrollmentContext, "tenant" | "user" | "client" | "factors" | "prepare">;

/**
 * Verifies the response of a new passkey or security key, and adds the key.
 * @param registration undefined if the user may not add the key on this host.
 * @param response the response as JSON.
 * @throws {PosternError} `access_denied` if the user's factors are frozen; `not_found` if the user was deleted.
 */
export async function confirmNewKey(
  context: KeyContext,
  registration: Registration | undefined,
  response: string,
): Promise<NewFactorResult> {
  const { tenant, user, client } = context;
  const factor = registration && (await enrollKey(tenant, { user, client, registration, response: parseKeyResponse(response) }));
  if (registration === undefined || factor === undefined) return { kind: "rejected", problem: "key-rejected" };
  return confirm(context, factor, registration.type);
}

async function confirm(context: KeyContext, factor: Factor, type: FactorType): Promise<NewFactorResult> {
  const { tenant, factors } = context;
  const isKey = webauthnTypes.some((one) => one === type);
  const recovery = await context.prepare(factor);
  if (recovery === "taken") return { kind: "unavailable" };
  const outcome = await confirmOwnFactor(tenant, context, factor, {
    onlyIfFirst: !hasIndependentFactor(factors.map((one) => one.type)),
    codeHash: recovery?.hash,
    // The response of a new key is no use of the key.
    ...(isKey && { usedAt: null }),
  });
  if (outcome === "unavailable" && isKey) return discardFactor(tenant, factor);
  if (outcome === "already-enrolled") return { kind: outcome, factor };
  if (outcome !== "confirmed") return { kind: outcome };
  return { kind: "confirmed", factor, type, ...(recovery !== undefined && { recoveryCode: recovery.code }) };
}
