/** A rendered text message to a user. */
export interface Sms {
  /** The tenant that sends the message. */
  readonly tenantId: string;
  /** The purpose of the message, for example `login_code`. */
  readonly template: string;
  /** The recipient's phone number in E.164 format: `+4915112345678`. */
  readonly to: string;
  readonly text: string;
  /** The one-time code in the message, if there is one, for a development inbox. Never log it in production. */
  readonly code?: string;
  /** The link in the message, if there is one, for a development inbox. Never log it in production. */
  readonly link?: string;
}

/**
 * Sends text messages. Postern sends the response without waiting for `send`, and does not retry. A rejection, or no
 * result within 10 seconds, writes an audit event (`fn`) and a warning to the operator's log (`sms_failed`).
 */
export interface SmsSender {
  /** Sends a text message. Resolve when it is accepted for delivery. */
  send(sms: Sms): Promise<void>;
}
