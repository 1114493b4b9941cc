import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { emailSchema } from "../../model/email-address.ts";
import type { UpstreamClient } from "./provider.ts";

/**
 * Returns a provider's profile with the email address in the spelling in which accounts store it, so that it equals the
 * address of the same mailbox in other connections. Removes an address that accounts cannot store, and logs a warning,
 * because the user cannot correct it during a login.
 */
export function readProfileEmail({ connection, context }: UpstreamClient, profile: UpstreamProfile): UpstreamProfile {
  const { email: sent, ...rest } = profile;
  if (sent === undefined) return profile;
  const { data: email } = emailSchema.safeParse(sent);
  if (email !== undefined) return { ...rest, email };
  context.host.logger.log({
    level: "warn",
    event: "provider_email_invalid",
    connection_id: connection.id,
    connection: connection.name,
    subject: profile.subject,
  });
  return { ...rest, emailVerified: false, emailOwned: false };
}
