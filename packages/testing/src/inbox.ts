import type { Mail, MailSender, Sms, SmsSender } from "@postern/core";

/** A mail or a text message that would have been sent. */
export interface Message {
  readonly channel: "email" | "sms";
  readonly tenantId: string;
  /** The recipient's address or phone number. */
  readonly to: string;
  /** What it is for, for example `reset_password` or `login_code`. */
  readonly template: string;
  /** Of a mail. */
  readonly subject?: string;
  readonly text: string;
  /** The one-time code in it, if any. */
  readonly code?: string;
  /** The link in it, if any. */
  readonly link?: string;
}

/** Which message is waited for. */
export interface MessageQuery {
  readonly to?: string;
  readonly template?: string;
  /** Milliseconds to wait for it. Default: 2,000. */
  readonly timeout?: number;
}

/** The messages of a tenant. */
export interface Inbox {
  /** All that came, the oldest first. */
  readonly all: readonly Message[];
  /**
   * The oldest message that fits and was not handed out before; waits where there is none yet.
   * @throws {Error} that says what did come, after the timeout.
   */
  next(query?: MessageQuery): Promise<Message>;
}

/** Keeps what would have been sent. */
export interface PostOffice {
  readonly mail: MailSender;
  readonly sms: SmsSender;
  inboxOf(tenantId: string): Inbox;
}

const defaultTimeout = 2000;

/** Makes a {@link PostOffice}. @param told of each message when it came. */
export function createPostOffice(told: (message: Message) => void = () => {}): PostOffice {
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  const keep = (message: Message): void => {
    messages.push(message);
    for (const look of waiting) look();
    told(message);
  };

  return {
    mail: {
      async send({ tenantId, to, template, subject, text, code, link }: Mail) {
        keep({
          channel: "email",
          tenantId,
          to,
          template,
          subject,
          text,
          ...(code !== undefined && { code }),
          ...(link !== undefined && { link }),
        });
      },
    },
    sms: {
      async send({ tenantId, to, template, text, code, link }: Sms) {
        keep({ channel: "sms", tenantId, to, template, text, ...(code !== undefined && { code }), ...(link !== undefined && { link }) });
      },
    },
    inboxOf(tenantId) {
      const handedOut = new Set<Message>();
      const ofTenant = (): readonly Message[] => messages.filter((message) => message.tenantId === tenantId);
      return {
        get all() {
          return ofTenant();
        },
        next: ({ to, template, timeout = defaultTimeout } = {}) =>
          new Promise((resolve, reject) => {
            const look = (): void => {
              const found = ofTenant().find(
                (message) =>
                  !handedOut.has(message) &&
                  (to === undefined || message.to === to) &&
                  (template === undefined || message.template === template),
              );
              if (found === undefined) return;
              handedOut.add(found);
              stop();
              resolve(found);
            };
            const late = setTimeout(() => {
              stop();
              const came = ofTenant().map(
                (message) => `${message.template} to ${message.to}${handedOut.has(message) ? ", handed out before" : ""}`,
              );
              const wanted =
                [template, to === undefined ? undefined : `to ${to}`].filter((part) => part !== undefined).join(" ") || "any message";
              reject(
                new Error(
                  `no message came within ${timeout} ms: wanted ${wanted}; there ${came.length === 0 ? "are none" : `are ${came.join("; ")}`}`,
                ),
              );
            }, timeout);
            const stop = (): void => {
              clearTimeout(late);
              waiting.delete(look);
            };
            waiting.add(look);
            look();
          }),
      };
    },
  };
}
