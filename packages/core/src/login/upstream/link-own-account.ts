import { readOwnChange } from "../../authorization/step-up/own-change.ts";
import { isPosternError } from "../../errors.ts";
import type { StoredIdentity } from "../../identity/providers/provider-requests.ts";
import { storesTokens, storeTokens } from "../../identity/providers/upstream-tokens.ts";
import type { AuthTime } from "../../identity/sessions/methods.ts";
import { linkOwnAccount } from "../../identity/users/link-own-account.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { Row } from "../../store/schema.ts";
import { isChangeable } from "../../tenants/account-sections.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Interaction } from "../interaction.ts";
import type { ActionResult } from "../step.ts";
import { backToClient } from "./back-to-client.ts";
import { storeForClient } from "./link-for-client.ts";
import { ownLinkProgress } from "./progress.ts";

/** The result of the link, as the account page shows it. */
type LinkResult = { readonly done: "linked" } | { readonly problem: "link-refused" | "outdated" | "provider-failed" | "provider-declined" };

/** Whether an interaction links an account of a signed-in user, and signs no user in. */
export function isOwnLink({ progress, request }: Interaction): boolean {
  return progress.link_to !== undefined || request.ending === "connected-account";
}

/**
 * Links the user's identity at a provider to the account of the user who began the link on the account page. No user is
 * signed in. The browser must still have the session in which the link began, and the user must still be allowed to change
 * the account: a link that another visitor began, or that is too old, changes nothing. If a client began the link with the
 * My Account API, the client receives a code instead, with which it links the identity.
 */
export async function linkAtProvider(
  interaction: Interaction,
  connection: Row<"connections">,
  identity: StoredIdentity,
  authTime: AuthTime,
): Promise<ActionResult> {
  const { tenant, client, request, browser, progress } = interaction;
  if (request.ending === "connected-account") return storeForClient(interaction, connection, identity, authTime);
  const begun = progress.link_to;
  if (browser === undefined || browser.session.id !== begun?.session_id || browser.user.user_id !== begun.user_id)
    return endOwnLink(interaction, { problem: "outdated" });
  const { user } = browser;
  const { permission } = await readOwnChange(tenant, browser);
  if (permission.kind !== "allowed" || !isChangeable(tenant, "linked_accounts")) return endOwnLink(interaction, { problem: "outdated" });
  try {
    const account = await linkIdentity(tenant, { user, connection, client }, identity);
    if (account === "refused") return endOwnLink(interaction, { problem: "link-refused" });
    if (account === "outdated") return endOwnLink(interaction, { problem: account });
    return endOwnLink(interaction, { done: "linked" });
  } catch (error) {
    if (!isPosternError(error) || error.code !== "access_denied") throw error;
    return endOwnLink(interaction, { problem: "outdated" });
  }
}

/** Links an identity at a provider to the account of its user, and stores the provider's tokens. See {@link linkOwnAccount}. */
export async function linkIdentity(
  tenant: RequestTenant,
  link: { readonly user: Row<"users">; readonly connection: Row<"connections">; readonly client: RegisteredClient },
  { profile, tokens }: StoredIdentity,
): Promise<Row<"users"> | "refused" | "outdated"> {
  const account = await linkOwnAccount(tenant, { ...link, profile });
  if (typeof account === "object" && tokens !== undefined && storesTokens(link.connection))
    await storeTokens(tenant, account.user_id, tokens);
  return account;
}

/** Ends a link that failed at the provider: redirects the browser to the account page or to the client where it began. */
export function failOwnLink(interaction: Interaction, problem: "provider-failed" | "provider-declined"): ActionResult {
  return interaction.request.ending === "connected-account" ? backToClient(interaction, { problem }) : endOwnLink(interaction, { problem });
}

/** Ends a link that began on the account page: redirects the browser there. */
function endOwnLink({ request }: Interaction, result: LinkResult): ActionResult {
  const url = new URL(request.redirect_uri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return { redirectTo: url.href, leaves: [ownLinkProgress] };
}
