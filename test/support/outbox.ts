import type { Mail, MailSender } from "@postern/core";

/** Where all mail of a test ends. */
export interface Outbox {
  readonly mail: MailSender;
  /** Every mail, the newest last. */
  readonly sent: readonly Mail[];
  /** Takes the newest mail to an address out of it. Throws where there is none. */
  take(to: string): Mail;
}

export function createOutbox(): Outbox {
  const sent: Mail[] = [];
  return {
    sent,
    mail: {
      send: async (mail) => {
        sent.push(mail);
      },
    },
    take(to) {
      const index = sent.findLastIndex((mail) => mail.to === to);
      const [mail] = index < 0 ? [] : sent.splice(index, 1);
      if (mail === undefined) throw new Error(`no mail to ${to}`);
      return mail;
    },
  };
}

/** The code of a mail. */
export function codeOf({ code }: Mail): string {
  if (code === undefined) throw new Error("the mail has no code");
  return code;
}

/** Another code than this one. */
export function otherThan(code: string): string {
  return code === "000000" ? "000001" : "000000";
}
