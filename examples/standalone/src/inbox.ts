import { randomUUID } from "node:crypto";
import type { MailSender, SmsSender } from "@postern/core";

/** A message that would have been sent. */
export interface Message {
  readonly channel: "email" | "sms";
  readonly to: string;
  readonly template: string;
  /** Text messages have none: then it is empty. */
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
  readonly link?: string;
}

/** A message with the time it came, and an id that no other one has, also after a restart. */
export interface ReceivedMessage extends Message {
  readonly id: string;
  readonly at: Date;
}

/** Where all mail and all text messages of this server end. */
export interface Inbox {
  readonly mail: MailSender;
  readonly sms: SmsSender;
  /** The newest first. */
  list(): readonly ReceivedMessage[];
  /** Another one after each message: an entity tag of the list. */
  version(): string;
}

const longest = 500;

/** @param received is told each message as it comes. */
export function createInbox(received: (message: Message) => void): Inbox {
  const messages: ReceivedMessage[] = [];
  const noMessage = randomUUID();
  const add = (message: Message): void => {
    messages.unshift({ ...message, id: randomUUID(), at: new Date() });
    messages.length = Math.min(messages.length, longest);
    received(message);
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
    },
    list: () => messages,
    version: () => `"${messages[0]?.id ?? noMessage}"`,
  };
}
