import type { RequestTenant } from "./tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** Returns the URL at which a user verifies the email address. @param ticket the text of a ticket. */
export function verifyEmailLink({ urls }: RequestTenant, ticket: string): string {
  return `${urls.urlFor("/u/verify-email")}?${new URLSearchParams({ ticket })}`;
}

/** Returns the URL at which a user sets a new password. @param ticket the text of a ticket. */
export function resetPasswordLink({ urls }: RequestTenant, ticket: string): string {
  return `${urls.urlFor("/u/reset-password")}?${new URLSearchParams({ ticket })}`;
}

/**
 * Returns the URL at which a user protects their account after a change of factors that they did not make.
 * @param ticket the text of a ticket.
 */
export function undoFactorChangeLink({ urls }: RequestTenant, ticket: string): string {
  return `${urls.urlFor("/u/undo-factor-change")}?${new URLSearchParams({ ticket })}`;
}

/** Returns the URL at which a user adds a second factor. @param ticket the text of a ticket. */
export function enrollmentLink({ urls }: RequestTenant, ticket: string): string {
  return `${urls.urlFor("/guardian/enroll")}?${new URLSearchParams({ ticket })}`;
}

/** The path of the page on which signed-in users see and change their account. Each section has a path below it. */
export const accountPath = "/u/account";

/** The path of the section in which signed-in users change their second factors and passkeys. */
export const securityPath = "/u/account/security";

/** Returns the URL of the page at which a user requests a link to set a new password. */
export function forgotPasswordPage(
  { urls }: RequestTenant,
  client?: RegisteredClient,
  { uiLocales, outcome }: { readonly uiLocales?: string | undefined; readonly outcome?: "sent" | "missing" } = {},
): string {
  const url = new URL(urls.urlFor("/u/forgot-password"));
  const parameters = { client_id: client?.record.client_id, ui_locales: uiLocales, outcome };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
