import type { Row } from "../store/schema.ts";
import { isObject, type JsonObject } from "../store/value.ts";
import { clientNameOf } from "../branding/client-name.ts";
import { tenantNameOf } from "../branding/tenant-name.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { MailMessage, SmsMessage, Writing } from "./message.ts";
import type { Recipient } from "./send.ts";

/**
 * Returns the values that custom templates can use, under Auth0's names. All values are plain data. Unknown values are
 * empty.
 */
export function templateValues(tenant: RequestTenant, message: MailMessage | SmsMessage, recipient: Recipient, { t }: Writing): JsonObject {
  const { code = "", link = "" } = message;
  const { to, user, client, connection, organization } = recipient;
  const values = "values" in message ? message.values : undefined;
  const application = { name: (client && clientNameOf(client)) ?? "", clientID: client?.record.client_id ?? "" };
  return {
    code,
    // Variables in Auth0's text messages.
    password: code,
    url: link,
    link,
    send: code === "" ? "link" : "code",
    email: to,
    application,
    app: application,
    client: { name: application.name, client_id: application.clientID },
    connection: { name: connection?.name ?? "" },
    organization: organization === undefined ? null : organizationValues(organization),
    tenant: tenant.id,
    friendly_name: tenantNameOf(tenant),
    support_email: tenant.settings.support_email,
    support_url: tenant.settings.support_url,
    request_language: t.lang,
    locale: t.lang,
    ...values,
    user: { ...(user === undefined ? { email: to } : userValues(user)), ...(isObject(values?.["user"]) && values["user"]) },
  };
}

function userValues(user: Row<"users">): JsonObject {
  const { user_id, email, email_verified, phone_number, phone_verified, username, user_metadata, app_metadata } = user;
  const { name, nickname, given_name, family_name, picture } = user;
  const account = { user_id, email, email_verified, phone_number, phone_verified, username };
  return { ...account, name, nickname, given_name, family_name, picture, user_metadata, app_metadata };
}

function organizationValues({ id, name, display_name, metadata, branding }: Row<"organizations">): JsonObject {
  return { id, name, display_name: display_name || name, metadata, branding };
}
