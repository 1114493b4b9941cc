/** A text message to a person, ready to be sent. */
export interface Sms {
  readonly tenantId: string;
  /** What it is for, for example `login_code`. */
  readonly template: string;
  /** The recipient's phone number, in E.164 form: `+4915112345678`. */
  readonly to: string;
  readonly text: string;
  /** The one-time code in it, if any: for a development inbox. Never log it in production. */
  readonly code?: string;
  /** The link in it, if any: for a development inbox. Never log it in production. */
  readonly link?: string;
}

/**
 * Sends text messages, by whatever the host uses. Nobody waits for it, nothing is tried again: a rejection, and no answer within 10 seconds, is an audit event
 * (`fn`) and a warning to the operator (`sms_failed`).
 */
export interface SmsSender {
  send(sms: Sms): Promise<void>;
}
