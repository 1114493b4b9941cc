import type { Row } from "../store/schema.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import { mailLater } from "./later.ts";
import { welcome } from "./mails/welcome.ts";
import { sendMail } from "./send.ts";

/** Somebody whose address was just verified. */
export interface NewUser {
  readonly user: Row<"users">;
  readonly client: Client | undefined;
  readonly uiLocales?: string | undefined;
}

/** Greets a newcomer, where the tenant has words for it: a mail that nobody asked for is sent by nobody else. */
export function sendWelcomeMail(tenant: Tenant, { user, client, uiLocales }: NewUser): void {
  mailLater(tenant, "welcome_email", async () => {
    const own = await tenant.mail().template("welcome_email");
    if (own?.template.enabled === true) await sendMail(tenant, welcome(), { to: user.email, user, client, uiLocales });
  });
}
