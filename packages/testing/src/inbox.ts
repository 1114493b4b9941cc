import type { Mail, MailSender, Sms, SmsSender, VoiceCall } from "@postern/core";

/** An email, a text message or a voice call that production would have sent. */
export interface Message {
  /** `voice`: a call that reads `text` to the user. */
  readonly channel: "email" | "sms" | "voice";
  readonly tenantId: string;
  /** The recipient's email address or phone number. */
  readonly to: string;
  /** The purpose of the message, for example `reset_password` or `login_code`. */
  readonly template: string;
  /** Emails only. */
  readonly subject?: string;
  readonly text: string;
  /** The one-time code in the message, if any. */
  readonly code?: string;
  /** The link in the message, if any. */
  readonly link?: string;
}

/** Selects the message to wait for. */
export interface MessageQuery {
  readonly to?: string;
  readonly template?: string;
  readonly channel?: Message["channel"];
  /** Milliseconds to wait for the message. Default: 2,000. */
  readonly timeout?: number;
}

/** The messages of a tenant. */
export interface Inbox {
  /** All messages, the oldest first. */
  readonly all: readonly Message[];
  /**
   * Returns the oldest matching message that no earlier call returned. Waits until such a message arrives.
   * @throws {Error} after the timeout. The error message lists the messages that did arrive.
   */
  next(query?: MessageQuery): Promise<Message>;
}

/** Senders that store each message instead of sending it. */
interface PostOffice {
  readonly mail: MailSender;
  readonly sms: Required<SmsSender>;
  inboxOf(tenantId: string): Inbox;
}

const defaultTimeout = 2000;

/** Creates a {@link PostOffice}. @param onMessage called with each message when it arrives. */
export function createPostOffice(onMessage: (message: Message) => void = () => {}): PostOffice {
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  const store = (message: Message): void => {
    messages.push(message);
    for (const resolveIfMatching of waiting) resolveIfMatching();
    onMessage(message);
  };

  return {
    mail: {
      async send({ tenantId, to, template, subject, text, code, link }: Mail) {
        store({
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
        store({ channel: "sms", tenantId, to, template, text, ...(code !== undefined && { code }), ...(link !== undefined && { link }) });
      },
      async call({ tenantId, to, template, text, code }: VoiceCall) {
        store({ channel: "voice", tenantId, to, template, text, ...(code !== undefined && { code }) });
      },
    },
    inboxOf(tenantId) {
      const returned = new Set<Message>();
      const tenantMessages = (): readonly Message[] => messages.filter((message) => message.tenantId === tenantId);
      return {
        get all() {
          return tenantMessages();
        },
        next: ({ to, template, channel, timeout = defaultTimeout } = {}) =>
          new Promise((resolve, reject) => {
            const resolveIfMatching = (): void => {
              const found = tenantMessages().find(
                (message) =>
                  !returned.has(message) &&
                  (to === undefined || message.to === to) &&
                  (template === undefined || message.template === template) &&
                  (channel === undefined || message.channel === channel),
              );
              if (found === undefined) return;
              returned.add(found);
              stop();
              resolve(found);
            };
            const timer = setTimeout(() => {
              stop();
              const arrived = tenantMessages().map(
                (message) => `${nameOf(message)} to ${message.to}${returned.has(message) ? ", already returned" : ""}`,
              );
              const parts = [channel, template, to === undefined ? undefined : `to ${to}`].filter((part) => part !== undefined);
              const expected = parts.join(" ") || "any message";
              reject(
                new Error(
                  `no message arrived within ${timeout} ms: expected ${expected}; arrived: ${arrived.length === 0 ? "none" : arrived.join("; ")}`,
                ),
              );
            }, timeout);
            const stop = (): void => {
              clearTimeout(timer);
              waiting.delete(resolveIfMatching);
            };
            waiting.add(resolveIfMatching);
            resolveIfMatching();
          }),
      };
    },
  };
}

/** Names a message in an error. A call has the template of a text message. */
function nameOf({ channel, template }: Message): string {
  return channel === "voice" ? `${channel} ${template}` : template;
}
