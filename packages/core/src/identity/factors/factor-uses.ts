import { toTenantFactor, type FactorType } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";

/** How the user authenticated before any second factor. */
export interface FirstFactor {
  readonly method: "pwd" | "otp" | "federated" | "passkey";
  /**
   * The email addresses and phone numbers through which the authentication went: where the code or link was sent, also the
   * one that set the password. They give no second factor, because one channel is one factor. Default: none; for a code
   * whose address is not known, every channel.
   */
  readonly channels?: readonly string[];
  /** Whether the passkey verified the user (WebAuthn flag UV). */
  readonly userVerified?: boolean;
  /** When the user authenticated, in milliseconds since 1970. Undefined if an identity provider did not report it. */
  readonly at: number | undefined;
}

/** A second factor that a user passed. `at`: the last time, in milliseconds since 1970. */
export interface PassedFactor {
  readonly type: FactorType;
  readonly at: number;
}

/** Whether the first factor alone combines two factors: a passkey that verified the user, unless the tenant requires another factor. */
export function combinesTwoFactors(
  { method, userVerified }: Pick<FirstFactor, "method" | "userVerified">,
  settings: Pick<MultifactorSettings, "passkey_counts_as_factor">,
): boolean {
  return method === "passkey" && userVerified === true && settings.passkey_counts_as_factor;
}

/** Whether an email address or phone number is a channel of the first factor. */
export function isChannelOf({ method, channels }: Pick<FirstFactor, "method" | "channels">, address: string): boolean {
  if (channels === undefined) return method === "otp";
  return channels.some((channel) => channel.toLowerCase() === address.toLowerCase());
}

/** Whether the tenant has enabled the factor. Passkeys are enabled by their connection. */
export function isFactorEnabled({ factors }: Pick<MultifactorSettings, "factors">, type: FactorType): boolean {
  const factor = toTenantFactor(type);
  return factor === undefined || factors[factor];
}

/**
 * Whether the tenant requires a factor at every login. A policy is not in force while the tenant has enabled no factor at
 * all.
 */
export function isPolicyInForce({ policies, factors }: Pick<MultifactorSettings, "policies" | "factors">): boolean {
  return policies.length > 0 && Object.values(factors).some((isEnabled) => isEnabled);
}
