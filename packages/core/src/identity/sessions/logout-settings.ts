import type * as z from "zod";
import type { LogoutInitiator } from "../../model/clients/logout-initiators.ts";
import type { oidcLogoutSchema } from "../../model/clients/settings.ts";

/** The setting `oidc_logout` of a client. */
type LogoutSettings = z.infer<typeof oidcLogoutSchema>;

/** The initiators that a client cannot deselect, as in Auth0. */
const always: readonly LogoutInitiator[] = ["rp-logout", "idp-logout"];

/**
 * Whether a client receives logout tokens for an initiator. A client without a selection receives those for `rp-logout`
 * and `idp-logout`, which no selection excludes.
 */
export function isInitiatorSelected(
  initiator: LogoutInitiator,
  { backchannel_logout_initiators: selection = {} }: LogoutSettings,
): boolean {
  const { mode, selected_initiators: selected = [] } = selection;
  return mode === "all" || always.includes(initiator) || selected.includes(initiator);
}

/** Returns the logout URLs of a client, each once. A stored URL with placeholders receives nothing. */
export function deliverableUrls({ backchannel_logout_urls: urls = [] }: LogoutSettings): readonly string[] {
  return [...new Set(urls)].filter((url) => url !== "" && !url.includes("{"));
}
