import * as z from "zod";
import type { JsonObject } from "../../../store/value.ts";
import { foldDomain } from "../../email-address.ts";

/**
 * Returns `true` if an identity provider is authoritative for an email address, which means that no other party decides
 * who owns the address. Accounts are linked without confirmation only if such a provider verified the address.
 *
 * @param domains the domains for which the provider issues addresses: its own domains, the verified domain of the
 * organization that the user belongs to (Google's `hd`), or the `domain_aliases` that an administrator of the tenant
 * assigned to the connection.
 */
export function isAuthoritativeFor(email: string, domains: readonly (string | undefined)[]): boolean {
  const domain = domainOf(email);
  return domain !== "" && domains.some((one) => one !== undefined && foldDomain(one) === domain);
}

/** Returns the domains that an administrator assigned to a connection (the option `domain_aliases`). */
export function assignedDomains({ domain_aliases: aliases }: JsonObject): readonly string[] {
  return z.array(z.string()).safeParse(aliases).data ?? [];
}

/** Returns the part of an email address after its last @, in the spelling of {@link foldDomain}. */
export function domainOf(email: string): string {
  return foldDomain(email.slice(email.lastIndexOf("@") + 1));
}
