import type { Tenant } from "./tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** The address by which a person verifies theirs, from the text of a ticket. */
export function verifyEmailLink({ urls }: Tenant, ticket: string): string {
  return `${urls.urlFor("/u/verify-email")}?${new URLSearchParams({ ticket })}`;
}

/** The address at which a person sets a new password, from the text of a ticket. */
export function resetPasswordLink({ urls }: Tenant, ticket: string): string {
  return `${urls.urlFor("/u/reset-password")}?${new URLSearchParams({ ticket })}`;
}

/** The address at which people ask for a link to set a new password. */
export function forgotPasswordPage(
  { urls }: Tenant,
  client?: Client,
  { uiLocales, outcome }: { readonly uiLocales?: string | undefined; readonly outcome?: "sent" | "missing" } = {},
): string {
  const url = new URL(urls.urlFor("/u/forgot-password"));
  const said = { client_id: client?.record.client_id, ui_locales: uiLocales, outcome };
  for (const [name, value] of Object.entries(said)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
