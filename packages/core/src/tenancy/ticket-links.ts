import type { Tenant } from "./tenant.ts";

/** The address by which a person verifies theirs, from the text of a ticket. */
export function verifyEmailLink({ urls }: Tenant, ticket: string): string {
  return `${urls.urlFor("/u/verify-email")}?${new URLSearchParams({ ticket })}`;
}

/** The address at which a person sets a new password, from the text of a ticket. */
export function resetPasswordLink({ urls }: Tenant, ticket: string): string {
  return `${urls.urlFor("/u/reset-password")}?${new URLSearchParams({ ticket })}`;
}
