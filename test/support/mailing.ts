import type { LogEntry, Mail, MailSender, Sms, SmsSender } from "@postern/core";
import { auditEvents, type Json } from "./api.ts";
import { openService, type App, type LoginService } from "./flow.ts";
import type { Answer, TestOptions } from "./postern.ts";

/** A service whose people sign in by codes and links, with senders of the test's own. */
export interface MailingService {
  readonly service: LoginService;
  readonly app: App;
  /** Every mail that was handed over, the newest last. */
  readonly mails: Mail[];
  readonly texts: Sms[];
  /** What the operator was told, but for requests. */
  readonly logEntries: LogEntry[];
  /** Asks for a code or a link by mail, or by text message for a phone number. */
  start(to: string, body?: object, headers?: { readonly [name: string]: string }): Promise<Answer>;
  /** The audit events that messages left, the newest first, without times and ids. */
  events(type: "fn" | "wn"): Promise<readonly Json[]>;
}

/** @param senders in place of those that keep what they are handed; undefined: there is none. */
export async function openMailing(
  senders: { readonly mail?: MailSender | undefined; readonly sms?: SmsSender | undefined } = {},
  options: TestOptions = {},
): Promise<MailingService> {
  const [mails, texts, told]: [Mail[], Sms[], LogEntry[]] = [[], [], []];
  const all = {
    mail: { send: async (mail: Mail) => void mails.push(mail) },
    sms: { send: async (sms: Sms) => void texts.push(sms) },
    ...senders,
  };
  const service = await openService({
    ...options,
    messages: { ...(all.mail && { mail: all.mail }), ...(all.sms && { sms: all.sms }) },
    logger: { log: (entry) => void (entry.event === "request" || told.push(entry)) },
  });
  await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
  await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  const app = await service.register({ name: "Fieldnotes" });
  return {
    service,
    app,
    mails,
    texts,
    logEntries: told,
    start: (to, body = {}, headers = {}) => {
      const way = to.startsWith("+") ? { connection: "sms", phone_number: to } : { connection: "email", email: to };
      return service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, send: "code", ...way, ...body }, headers });
    },
    events: async (type) => auditEvents(service.manage, type),
  };
}
