import * as z from "zod";
import type { Row } from "../../store/schema.ts";

/** The kinds of proof that an email address belongs to the user who has the account. */
const emailProofKinds = ["mailbox", "provider", "administrator", "asserted"] as const;

/**
 * How an email address was proven.
 *
 * - `mailbox`: a code or a link that was sent to the address came back.
 * - `provider`: an identity provider that is authoritative for the address states that it is verified.
 * - `administrator`: the Management API, an import, a seed or a user source states it.
 * - `asserted`: an identity provider that is not authoritative for the address states it.
 */
export type EmailProofKind = (typeof emailProofKinds)[number];

/** The fields of a user for whether and how the email address was proven. They are always written together. */
export type EmailProofFields = Pick<Row<"users">, "email_verified" | "email_proof" | "proven_email">;

const Kind = z.enum(emailProofKinds);

/** The fields of a verified address. */
export function provenEmail(email: string, kind: EmailProofKind): EmailProofFields {
  return { email_verified: true, email_proof: kind, proven_email: email.toLowerCase() };
}

/** The fields of an unverified address. */
export const unprovenEmail: EmailProofFields = { email_verified: false, email_proof: null, proven_email: null };

/**
 * Returns how the address of an account was proven, or undefined if it is unverified.
 *
 * A verified address without a proof was stored by a version that did not record proofs, and counts as `administrator`.
 * So does a verified address with a proof of another address: that version changed the address without changing the
 * proof.
 */
export function emailProofOf(user: Pick<Row<"users">, "email" | keyof EmailProofFields>): EmailProofKind | undefined {
  if (!user.email_verified || user.email === "") return undefined;
  const { data: kind } = Kind.safeParse(user.email_proof);
  return kind !== undefined && user.proven_email === user.email.toLowerCase() ? kind : "administrator";
}

/**
 * `true` if the owner of the address is known to have the account: the owner received mail for it, or the provider that
 * issues the address signed them in. Only such an account is linked without confirmation.
 */
export function isProvenByOwner(user: Parameters<typeof emailProofOf>[0]): boolean {
  const kind = emailProofOf(user);
  return kind === "mailbox" || kind === "provider";
}

/**
 * `true` if no party that the tenant trusts vouches for the address: it is unverified, or only an identity provider
 * that is not authoritative for it says that it is verified. A user who proves such an address takes over the account.
 */
export function isUnproven(user: Parameters<typeof emailProofOf>[0]): boolean {
  const kind = emailProofOf(user);
  return kind === undefined || kind === "asserted";
}
