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

/** Sends mail, by whatever the host uses. Core retries nothing: a rejection is answered to the person as "try again". */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}
