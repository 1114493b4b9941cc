import { chooseFactor, type ChosenFactor, type FactorChoice } from "../../identity/factors/choose-factor.ts";
import type { GuessedFactor } from "../../identity/factors/code-kind.ts";
import { verifyFactor } from "../../identity/factors/verify-factor.ts";
import { verifyKey } from "../../identity/factors/verify-key.ts";
import { factorKind, type FactorType } from "../../model/factors/factor-types.ts";
import { parseKeyResponse } from "../steps/webauthn/key-response.ts";
import type { FactorContext } from "./context.ts";
import { keyAuthentication } from "./key-authentication.ts";
import type { RejectedFactor } from "./problems.ts";

/**
 * Returns the factor that the user chose, otherwise the strongest one.
 * @param types the types that the user may use, the strongest first. At least one.
 */
export function challengedFactor(
  { user, factors, first }: Pick<FactorContext, "user" | "factors" | "first">,
  types: readonly FactorType[],
  choice: FactorChoice,
): ChosenFactor {
  const chosen = chooseFactor({ types, user, factors, first }, choice);
  if (chosen === undefined) throw new Error("a challenge lists at least one factor");
  return chosen;
}

/** A submitted code of a factor. */
export interface EnteredCode {
  readonly code: string;
  /** A fingerprint of the submitted form, see `formOf`. However often the form is submitted, it counts as one attempt. */
  readonly form?: string | undefined;
  /** Whether a used recovery code is accepted again at once in the same place, see `RecoveryPlace`. */
  readonly isRepeatable: boolean;
}

/** The result of a submitted code or response. */
export type FactorResult =
  | {
      readonly kind: "passed";
      /** The recovery code that replaces the used one. It must be shown to the user once. */
      readonly nextRecoveryCode?: string;
      /** Present if another submission of the form has passed the factor before: when, in milliseconds since 1970. */
      readonly repeats?: { readonly at: number };
    }
  | { readonly kind: "rejected"; readonly problem: RejectedFactor };

/**
 * Verifies the code of a factor, as `verifyFactor`.
 * @param purpose `add-factor`: the code is the first one of a factor that the user adds.
 */
export async function enterCode(
  { tenant, user, client, boundTo }: FactorContext,
  purpose: "factor" | "add-factor",
  factor: GuessedFactor,
  { code, form, isRepeatable }: EnteredCode,
): Promise<FactorResult> {
  if (code.trim() === "") return { kind: "rejected", problem: "code-missing" };
  // The address for the codes was removed.
  if (factorKind(factor.type).authenticator === "oob" && factor.target === undefined) return { kind: "rejected", problem: "wrong-code" };
  const verdict = await verifyFactor(tenant, {
    user,
    client,
    code,
    factor,
    place: { purpose, clientId: client?.record.client_id ?? "", loginId: boundTo },
    recoveryPlace: { id: boundTo, isRepeatable },
    form,
  });
  if (verdict.kind !== "right") return { kind: "rejected", problem: verdict.kind === "throttled" ? "too-many-attempts" : "wrong-code" };
  const { nextRecoveryCode, repeats } = verdict;
  return { kind: "passed", ...(nextRecoveryCode !== undefined && { nextRecoveryCode }), ...(repeats && { repeats }) };
}

/**
 * Verifies the response of an enrolled passkey or security key, as `verifyKey`.
 * @param response the response as JSON. Empty if the browser returned none.
 */
export async function useKey(context: FactorContext, type: FactorType, response: string): Promise<FactorResult> {
  const { tenant, user, client } = context;
  const authentication = response === "" ? undefined : await keyAuthentication(context, type);
  if (authentication === undefined) return { kind: "rejected", problem: "key-rejected" };
  const verdict = await verifyKey(tenant, { user, client, type, authentication, response: parseKeyResponse(response) });
  if (verdict === "right") return { kind: "passed" };
  return { kind: "rejected", problem: verdict === "throttled" ? "too-many-attempts" : "key-rejected" };
}
