import { randomUUID } from "node:crypto";
import type { MailSender, SmsSender } from "@postern/core";

/** A message that a server in production would have sent. */
export interface LocalMessage {
  readonly channel: "email" | "sms" | "voice";
  readonly to: string;
  readonly template: string;
  /** Empty for text messages and calls. */
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
  readonly link?: string;
}

/** A message with its arrival time and a unique id, which stays unique after a restart. */
export interface ReceivedMessage extends LocalMessage {
  readonly id: string;
  readonly at: Date;
}

/** Stores the emails, text messages and calls that this server would send. */
export interface LocalInbox {
  readonly mail: MailSender;
  readonly sms: Required<SmsSender>;
  /** Returns the messages, the newest first. */
  list(): readonly ReceivedMessage[];
  /** Returns the entity tag of the list, which changes with each message. */
  version(): string;
}

const maximumMessages = 500;

/** Creates an {@link LocalInbox}. @param onMessage called with each message when it arrives. */
export function createInbox(onMessage: (message: LocalMessage) => void): LocalInbox {
  const messages: ReceivedMessage[] = [];
  const emptyVersion = randomUUID();
  const add = (message: LocalMessage): void => {
    messages.unshift({ ...message, id: randomUUID(), at: new Date() });
    messages.length = Math.min(messages.length, maximumMessages);
    onMessage(message);
  };
  const rest = ({ code, link }: { readonly code?: string; readonly link?: string }) => ({
    ...(code !== undefined && { code }),
    ...(link !== undefined && { link }),
  });
  return {
    mail: {
      send: async (mail) => {
        add({ channel: "email", to: mail.to, template: mail.template, subject: mail.subject, text: mail.text, ...rest(mail) });
      },
    },
    sms: {
      send: async (sms) => {
        add({ channel: "sms", to: sms.to, template: sms.template, subject: "", text: sms.text, ...rest(sms) });
      },
      call: async (call) => {
        add({ channel: "voice", to: call.to, template: call.template, subject: "", text: call.text, ...rest(call) });
      },
    },
    list: () => messages,
    version: () => `"${messages[0]?.id ?? emptyVersion}"`,
  };
}
