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

/** A voice call that reads a one-time code to a user. */
export interface VoiceCall {
  /** The tenant that requests the call. */
  readonly tenantId: string;
  /** The purpose of the call, for example `mfa_oob_code`. */
  readonly template: string;
  /** The phone number to call in E.164 format: `+4915112345678`. */
  readonly to: string;
  /**
   * The words to speak, as plain text. The digits of the code are separated (`1, 2, 3`), so that a speech engine reads
   * them one by one.
   */
  readonly text: string;
  /** The language of `text` as a BCP 47 tag, for example `de`. */
  readonly language: string;
  /** The one-time code in the text, for a development inbox. Never log it in production. */
  readonly code?: string;
}

/**
 * Sends text messages, and optionally places voice calls. Postern sends the response without waiting for either, and does
 * not retry. A rejection, or no result within 10 seconds, writes an audit event (`fn`) and a warning to the operator's log
 * (`sms_failed`, `call_failed`).
 */
export interface SmsSender {
  /** Sends a text message. Resolve when it is accepted for delivery. */
  send(sms: Sms): Promise<void>;
  /**
   * Places a voice call that reads out a one-time code. The promise must resolve when the service accepts the call,
   * before the call is answered. If omitted, users receive no codes by voice call.
   */
  call?(call: VoiceCall): Promise<void>;
}
