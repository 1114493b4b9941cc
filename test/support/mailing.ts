import type { LogEntry, Mail, MailSender, Sms, SmsSender } from "@postern/core";
import { auditEvents, type JsonBody } from "./api.ts";
import { openService, type App, type LoginService } from "./flow.ts";
import type { ApiResponse, TestOptions } from "./postern.ts";

/** A service with passwordless connections. Its senders store every message instead of sending it. */
export interface MailingService {
  readonly service: LoginService;
  readonly app: App;
  /** Every sent mail, the newest last. */
  readonly mails: Mail[];
  readonly texts: Sms[];
  /** The entries that the service logged for the operator, without the entries for requests. */
  readonly logEntries: LogEntry[];
  /** Requests a code or a link by mail, or by text message for a phone number. */
  start(to: string, body?: object, headers?: { readonly [name: string]: string }): Promise<ApiResponse>;
  /** Returns the audit events for messages, newest first. */
  events(type: "fn" | "wn"): Promise<readonly JsonBody[]>;
}

/**
 * Opens a {@link MailingService}. @param senders replace the senders that store messages. With undefined, no such
 * sender is configured.
 */
export async function openMailing(
  senders: { readonly mail?: MailSender | undefined; readonly sms?: SmsSender | undefined } = {},
  options: TestOptions = {},
): Promise<MailingService> {
  const [mails, texts, result]: [Mail[], Sms[], LogEntry[]] = [[], [], []];
  const all = {
    mail: { send: async (mail: Mail) => void mails.push(mail) },
    sms: { send: async (sms: Sms) => void texts.push(sms) },
    ...senders,
  };
  const service = await openService({
    ...options,
    messages: { ...(all.mail && { mail: all.mail }), ...(all.sms && { sms: all.sms }) },
    logger: { log: (entry) => void (entry.event === "request" || result.push(entry)) },
  });
  await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
  await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  const app = await service.register({ name: "Fieldnotes" });
  return {
    service,
    app,
    mails,
    texts,
    logEntries: result,
    start: (to, body = {}, headers = {}) => {
      const recipient = to.startsWith("+") ? { connection: "sms", phone_number: to } : { connection: "email", email: to };
      return service.call("POST", "/passwordless/start", {
        body: { client_id: app.clientId, send: "code", ...recipient, ...body },
        headers,
      });
    },
    events: async (type) => auditEvents(service.manage, type),
  };
}
