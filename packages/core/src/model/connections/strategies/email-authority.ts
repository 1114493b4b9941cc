import * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";

/**
 * Whether an identity provider is authoritative for an email address: no other party can say who owns the address. Only the statement of such a provider
 * links accounts without a question.
 *
 * @param domains the domains that the provider gives addresses out for: its own, the verified domain of the organization that the user belongs to
 *   (Google's `hd`), or the `domain_aliases` that an administrator of the tenant assigned to the connection.
 */
export function isAuthoritativeFor(email: string, domains: readonly (string | undefined)[]): boolean {
  const domain = domainOf(email);
  return domain !== "" && domains.some((one) => one?.toLowerCase() === domain);
}

/** The domains that an administrator assigned to a connection (`domain_aliases` of its options). */
export function assignedDomains({ domain_aliases: aliases }: JsonObject): readonly string[] {
  return z.array(z.string()).safeParse(aliases).data ?? [];
}

/** The part of an address after its last @, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
