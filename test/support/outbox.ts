import type { Mail, MailSender, Sms, SmsSender } from "@postern/core";

/** Where all mail and all text messages of a test end. */
export interface Outbox {
  readonly mail: MailSender;
  readonly sms: SmsSender;
  /** Every message, the newest last. */
  readonly sent: (Mail | Sms)[];
  /** Takes the newest message to an address out of it. Throws where there is none. */
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

/** The code of a message. */
export function codeOf({ code }: Mail | Sms): string {
  if (code === undefined) throw new Error("the message has no code");
  return code;
}

/** Another code than this one. */
export function differentCode(code: string): string {
  return code === "000000" ? "000001" : "000000";
}
