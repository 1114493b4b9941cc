import type { Mail, MailSender, Sms, SmsSender, VoiceCall } from "@postern/core";

/** Stores all emails, text messages and voice calls that the service sends in a test. */
export interface Outbox {
  readonly mail: MailSender;
  readonly sms: SmsSender;
  /** A sender of text messages that also places voice calls. */
  readonly phone: SmsSender;
  /** Every message, the newest last. */
  readonly sent: (Mail | Sms)[];
  /** Every voice call, the newest last. */
  readonly calls: VoiceCall[];
  /** Removes the newest message to a recipient and returns it. Throws if there is none. */
  take(to: string): Mail | Sms;
}

export function createOutbox(): Outbox {
  const sent: (Mail | Sms)[] = [];
  const calls: VoiceCall[] = [];
  const sender = {
    send: async (message: Mail | Sms) => {
      sent.push(message);
    },
  };
  return {
    sent,
    calls,
    mail: sender,
    sms: sender,
    phone: {
      ...sender,
      call: async (call) => {
        calls.push(call);
      },
    },
    take(to) {
      const index = sent.findLastIndex((message) => message.to === to);
      const [message] = index < 0 ? [] : sent.splice(index, 1);
      if (message === undefined) throw new Error(`no message to ${to}`);
      return message;
    },
  };
}

/** Returns the code in a message. */
export function codeOf({ code }: Pick<Mail | Sms | VoiceCall, "code">): string {
  if (code === undefined) throw new Error("the message has no code");
  return code;
}

/** Returns a code that differs from this one. */
export function differentCode(code: string): string {
  return code === "000000" ? "000001" : "000000";
}
