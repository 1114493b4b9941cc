import type { Mail, MailSender, Sms, SmsSender } from "@postern/core";

/** Stores all emails and text messages that the service sends in a test. */
export interface Outbox {
  readonly mail: MailSender;
  readonly sms: SmsSender;
  /** Every message, the newest last. */
  readonly sent: (Mail | Sms)[];
  /** Removes the newest message to a recipient and returns it. Throws if there is none. */
  take(to: string): Mail | Sms;
}

export function createOutbox(): Outbox {
  const sent: (Mail | Sms)[] = [];
  const sender = {
    send: async (message: Mail | Sms) => {
      sent.push(message);
    },
  };
  return {
    sent,
    mail: sender,
    sms: sender,
    take(to) {
      const index = sent.findLastIndex((message) => message.to === to);
      const [message] = index < 0 ? [] : sent.splice(index, 1);
      if (message === undefined) throw new Error(`no message to ${to}`);
      return message;
    },
  };
}

/** Returns the code in a message. */
export function codeOf({ code }: Mail | Sms): string {
  if (code === undefined) throw new Error("the message has no code");
  return code;
}

/** Returns a code that differs from this one. */
export function differentCode(code: string): string {
  return code === "000000" ? "000001" : "000000";
}
