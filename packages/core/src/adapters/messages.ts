/** A message to a person, rendered and ready. */
interface Message {
  readonly tenantId: string;
  /** What it is for, for example `reset_password` or `login_code`. */
  readonly template: string;
  /** The text without markup. */
  readonly text: string;
  /** The one-time code in it, if any: for a development inbox. Never log it in production. */
  readonly code?: string;
  /** The link in it, if any: for a development inbox. Never log it in production. */
  readonly link?: string;
}

/** A mail to be sent. */
export interface Mail extends Message {
  /** The recipient's address. */
  readonly to: string;
  readonly from?: string;
  readonly subject: string;
  readonly html: string;
}

/** Sends mail, by whatever the host uses. Core retries nothing: a rejection is answered to the person as "try again". */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** A text message to be sent. */
export interface Sms extends Message {
  /** The recipient's number in E.164 form, for example `+4915112345678`. */
  readonly to: string;
}

/** Sends text messages. */
export interface SmsSender {
  send(sms: Sms): Promise<void>;
}
