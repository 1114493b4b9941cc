import * as z from "zod";
import type { Row } from "../../store/schema.ts";

/** The kinds of proof that the user of an account owns its email address. */
const emailProofKinds = ["mailbox", "provider", "administrator", "asserted"] as const;

/**
 * How an email address was proven.
 *
 * - `mailbox`: the user entered a code or opened a link that was sent to the address.
 * - `provider`: an identity provider that is authoritative for the address states that it is verified.
 * - `administrator`: the Management API, an import, a seed or a user source states that the address is verified.
 * - `asserted`: an identity provider that is not authoritative for the address states that it is verified.
 */
export type EmailProofKind = (typeof emailProofKinds)[number];

/** The fields of a user that contain whether and how the email address was proven. They are always written together. */
export type EmailProofFields = Pick<Row<"users">, "email_verified" | "email_proof" | "proven_email">;

const kindSchema = z.enum(emailProofKinds);

/** Returns the fields for a verified email address, after which the account is no unproven sign-up any more. */
export function provenEmail(email: string, kind: EmailProofKind): EmailProofFields & typeof provenSignUp {
  return { email_verified: true, email_proof: kind, proven_email: email.toLowerCase(), ...provenSignUp };
}

/** The fields that are written with each proof of an email address or a phone number. */
export const provenSignUp = { is_unproven_sign_up: false } satisfies Partial<Row<"users">>;

/** The fields for an unverified email address. */
export const unprovenEmail: EmailProofFields = { email_verified: false, email_proof: null, proven_email: null };

/**
 * Returns how the email address of an account was proven, or undefined if the address is unverified.
 *
 * A host with its own table of users may verify or change an address without knowing of proofs. So a verified address
 * without a proof counts as `administrator`, and one with the proof of another address too.
 */
export function emailProofOf(user: Pick<Row<"users">, "email" | keyof EmailProofFields>): EmailProofKind | undefined {
  if (!user.email_verified || user.email === "") return undefined;
  const { data: kind } = kindSchema.safeParse(user.email_proof);
  return kind !== undefined && user.proven_email === user.email.toLowerCase() ? kind : "administrator";
}

/**
 * Returns `true` if the owner of the email address is known to have the account: the owner received an email at the
 * address, or the provider that issues the address signed the owner in. Only such an account is linked without
 * confirmation.
 */
export function isProvenByOwner(user: Parameters<typeof emailProofOf>[0]): boolean {
  const kind = emailProofOf(user);
  return kind === "mailbox" || kind === "provider";
}

/**
 * Returns `true` if no party that the tenant trusts has confirmed the email address: the address is unverified, or it
 * is verified only by an identity provider that is not authoritative for it. A user who proves such an address takes
 * over the account, unless it has a second factor: see {@link isUnprovenSignUp}.
 */
export function isUnproven(user: Parameters<typeof emailProofOf>[0]): boolean {
  const kind = emailProofOf(user);
  return kind === undefined || kind === "asserted";
}

/**
 * Returns `true` if a visitor's sign-up created the account, and none of its addresses was ever proven. Its factors may
 * belong to a visitor who does not own the address, so the user who proves the address first does not pass them, and a
 * takeover removes them. The factors of every other account protect it: the address may have been changed since.
 */
export function isUnprovenSignUp(
  user: Pick<Row<"users">, "is_unproven_sign_up" | "phone_verified"> & Parameters<typeof emailProofOf>[0],
): boolean {
  // A host with its own table of users may verify addresses without a change of `is_unproven_sign_up`.
  return user.is_unproven_sign_up && isUnproven(user) && !user.phone_verified;
}
