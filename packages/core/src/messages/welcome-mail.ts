import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { mailLater } from "./mail-later.ts";
import { welcome } from "./mails/welcome.ts";
import { sendMail } from "./send.ts";

/** A user whose email address was just verified, with the context of the login. */
interface NewUser {
  readonly user: Row<"users">;
  readonly client: RegisteredClient | undefined;
  readonly uiLocales?: string | undefined;
}

/**
 * Sends a welcome mail after the response, if the tenant has enabled a custom template for it. There is no built-in
 * welcome mail, because users did not request it.
 */
export function sendWelcomeMail(tenant: RequestTenant, { user, client, uiLocales }: NewUser): void {
  mailLater(tenant, "welcome_email", async () => {
    const own = await tenant.mail().template("welcome_email");
    if (own?.template.enabled === true) await sendMail(tenant, welcome(), { to: user.email, user, client, uiLocales });
  });
}
