import type { JsonObject } from "../store/value.ts";

/** A rendered email to a user. */
export interface Mail {
  /** The tenant that sends the email. */
  readonly tenantId: string;
  /** The purpose of the email, for example `reset_password` or `login_code`. */
  readonly template: string;
  /** The recipient's email address. */
  readonly to: string;
  /** The sender, if the tenant has set one: an email address, or a display name with an email address. */
  readonly from?: string;
  readonly subject: string;
  /** The rendered HTML. */
  readonly html: string;
  /** The plain-text version of `html`. */
  readonly text: string;
  /** The one-time code in the email, if there is one, for a development inbox. Never log it in production. */
  readonly code?: string;
  /** The link in the email, if there is one, for a development inbox. Never log it in production. */
  readonly link?: string;
  /**
   * The email provider that the tenant has set; omitted if the tenant has none. Never log it, because it contains
   * credentials.
   */
  readonly provider?: MailProvider;
}

/**
 * The email provider that a tenant has set (`/api/v2/emails/provider`). Postern only passes it to the host
 * application's {@link MailSender}.
 */
export interface MailProvider {
  /** Auth0's name for the provider, such as `smtp`, `ses` or `custom`. */
  readonly name: string;
  /** Credentials with Auth0's member names, such as `smtp_host` and `smtp_pass`. */
  readonly credentials: JsonObject;
  /** Settings with Auth0's member names. */
  readonly settings: JsonObject;
}

/**
 * Sends email. Postern sends the response without waiting for `send`, and does not retry. A rejection, or no result
 * within 10 seconds, writes an audit event (`fn`) and a warning to the operator's log (`mail_failed`). Use a queue for
 * reliable delivery.
 *
 * Only `POST /api/v2/emails/provider/test` waits for `send`, and describes a rejection to the tenant. It uses `code`
 * (`EAUTH`, `ECONNECTION`, `ECONNREFUSED`, `ETIMEDOUT`) and `responseCode` (an SMTP status) of the error, as Nodemailer
 * sets them. A text `publicMessage` of the error is returned instead, so it must not contain credentials or addresses.
 * The `message` of the error is written to the operator's log only.
 */
export interface MailSender {
  /** Sends an email. Resolve when it is accepted for delivery. */
  send(mail: Mail): Promise<void>;
}
