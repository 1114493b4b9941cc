/** A mail to a person, rendered and ready. */
export interface Mail {
  readonly tenantId: string;
  /** What it is for, for example `reset_password` or `login_code`. */
  readonly template: string;
  /** The recipient's address. */
  readonly to: string;
  readonly from?: string;
  readonly subject: string;
  readonly html: string;
  /** The text without markup. */
  readonly text: string;
  /** The one-time code in it, if any: for a development inbox. Never log it in production. */
  readonly code?: string;
  /** The link in it, if any: for a development inbox. Never log it in production. */
  readonly link?: string;
}

/**
 * Sends mail, by whatever the host uses. Nobody waits for it, nothing is tried again: a rejection, and no answer within 10 seconds, is an audit event (`fn`) and
 * a warning to the operator (`mail_failed`). Put a queue behind it if you have one.
 */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}
