import { readOwnChange } from "../../authorization/step-up/own-change.ts";
import { isPosternError } from "../../errors.ts";
import type { StoredIdentity } from "../../identity/providers/provider-requests.ts";
import { storesTokens, storeTokens } from "../../identity/providers/upstream-tokens.ts";
import { linkOwnAccount } from "../../identity/users/link-own-account.ts";
import type { Row } from "../../store/schema.ts";
import { isChangeable } from "../../tenants/account-sections.ts";
import type { Interaction } from "../interaction.ts";
import type { ActionResult } from "../step.ts";
import { ownLinkProgress } from "./progress.ts";

/** The result of the link, as the account page shows it. */
type LinkResult = { readonly done: "linked" } | { readonly problem: "link-refused" | "outdated" | "provider-failed" | "provider-declined" };

/**
 * Links the user's identity at a provider to the account of the user who began the link on the account page. No user is
 * signed in. The browser must still have the session in which the link began, and the user must still be allowed to change
 * the account: a link that another visitor began, or that is too old, changes nothing.
 */
export async function linkAtProvider(
  interaction: Interaction,
  connection: Row<"connections">,
  { profile, tokens }: StoredIdentity,
): Promise<ActionResult> {
  const { tenant, client, browser, progress } = interaction;
  const begun = progress.link_to;
  if (browser === undefined || browser.session.id !== begun?.session_id || browser.user.user_id !== begun.user_id)
    return backToAccountPage(interaction, { problem: "outdated" });
  const { user } = browser;
  const { permission } = await readOwnChange(tenant, browser);
  if (permission.kind !== "allowed" || !isChangeable(tenant, "linked_accounts"))
    return backToAccountPage(interaction, { problem: "outdated" });
  try {
    const account = await linkOwnAccount(tenant, { user, connection, profile, client });
    if (account === "refused") return backToAccountPage(interaction, { problem: "link-refused" });
    if (account === "outdated") return backToAccountPage(interaction, { problem: account });
    if (tokens !== undefined && storesTokens(connection)) await storeTokens(tenant, account.user_id, tokens);
    return backToAccountPage(interaction, { done: "linked" });
  } catch (error) {
    if (!isPosternError(error) || error.code !== "access_denied") throw error;
    return backToAccountPage(interaction, { problem: "outdated" });
  }
}

/** Redirects the browser to the account page where the link began, and ends the link. */
export function backToAccountPage({ request }: Interaction, result: LinkResult): ActionResult {
  const url = new URL(request.redirect_uri);
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value);
  return { redirectTo: url.href, leaves: [ownLinkProgress] };
}
