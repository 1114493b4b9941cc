import type { JsonObject } from "../store/value.ts";

/** A mail to a person, rendered and ready. */
export interface Mail {
  readonly tenantId: string;
  /** What it is for, for example `reset_password` or `login_code`. */
  readonly template: string;
  /** The recipient's address. */
  readonly to: string;
  /** Who it is from, where the tenant says so: an address, with a name before it or not. */
  readonly from?: string;
  readonly subject: string;
  readonly html: string;
  /** The text without markup. */
  readonly text: string;
  /** The one-time code in it, if any: for a development inbox. Never log it in production. */
  readonly code?: string;
  /** The link in it, if any: for a development inbox. Never log it in production. */
  readonly link?: string;
  /** How the tenant wants its mail sent; left out where it leaves that to the host. Never log it. */
  readonly provider?: MailProvider;
}

/** What a tenant set at `/api/v2/emails/provider`. Nothing but the host's sender goes by it. */
export interface MailProvider {
  /** The vendor's name for it, such as `smtp`, `ses` or `custom`. */
  readonly name: string;
  /** By the vendor's names, such as `smtp_host` and `smtp_pass`. */
  readonly credentials: JsonObject;
  readonly settings: JsonObject;
}

/**
 * Sends mail, by whatever the host uses. Nobody waits for it, nothing is tried again: a rejection, and no answer within 10 seconds, is an audit event (`fn`) and
 * a warning to the operator (`mail_failed`). Put a queue behind it if you have one.
 */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}
