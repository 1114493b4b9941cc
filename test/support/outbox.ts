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

/** The zeros of scripts whose digits users type. */
export const zeros = { arabic: 0x0660, persian: 0x06f0, devanagari: 0x0966, fullWidth: 0xff10 } as const;

/** Returns a code in the digits of a script, as users paste it: in two groups between direction marks. */
export function typedInScript(code: string, script: keyof typeof zeros): string {
  const digits = Array.from(code, (digit) => String.fromCodePoint(zeros[script] + Number(digit))).join("");
  return `\u200f${digits.slice(0, 3)}\u202f\u2013${digits.slice(3)}\u200e`;
}
