import { inspect } from "node:util";
import type { LogEntry } from "@postern/core";
import type { SecretName } from "./environment.ts";
import type { LocalMessage } from "./inbox.ts";
import type { Ready } from "./log.ts";

/** Colours text, or returns it unchanged if the output has no colours. */
export type Paint = (style: "bold" | "dim" | "green" | "yellow" | "red" | "cyan", text: string) => string;

/** Further data for the pretty format, in addition to {@link Ready}. */
export interface ReadyNotes {
  /** Whether the inbox is available. */
  readonly inbox: boolean;
  /**
   * Returns the file or variable that contains a secret. Undefined at the first start, which prints the secrets
   * themselves.
   */
  readonly secretLocation: ((name: SecretName) => string) | undefined;
}

/** Formats the addresses, the clients and the first user of a started server as a table for the terminal. */
export function prettyReady(ready: Ready, { inbox, secretLocation }: ReadyNotes, paint: Paint): string {
  const { url, issuer, tenant_id, management_client, spa_client, web_client, user } = ready;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ["Issuer", issuer],
    ["Tenant", tenant_id],
    ["Inbox", inbox ? `${url}dev/inbox` : "only for this machine: see DEV_PAGES in the README"],
    ["", ""],
    ["Management client id", management_client.client_id],
    ["Management client secret", secretLocation?.("ADMIN_CLIENT_SECRET") ?? management_client.client_secret],
    ["Browser client id", spa_client.client_id],
    ["Web client id", web_client.client_id],
    ["Web client secret", secretLocation?.("WEB_CLIENT_SECRET") ?? web_client.client_secret],
    ["First user", user.email],
    ["Password", secretLocation?.("ADMIN_PASSWORD") ?? user.password],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => (name === "" ? "" : `  ${paint("dim", name.padEnd(width))}  ${value}`));
  return ["", `  ${paint("bold", "Postern is ready")} at ${paint("cyan", url)}`, "", ...lines, ""].join("\n");
}

/** Formats a message as its recipient would see it. */
export function prettyMessage({ channel, to, subject, text, code, link }: LocalMessage, paint: Paint): string {
  const shown = [code && `Code: ${code}`, link && `Link: ${link}`].filter((line) => line !== undefined && line !== "");
  const body = (shown.length > 0 ? shown.join("\n") : text).replaceAll("\n", "\n    ");
  const heading = { email: `✉ Email to ${to}: ${subject}`, sms: `✉ Text message to ${to}`, voice: `☎ Call to ${to}` }[channel];
  return `${paint("green", heading)}\n    ${body}`;
}

/** Formats a request in one line, and any other entry with all its details. */
export function prettyEntry({ level, event, ...details }: LogEntry, paint: Paint): string {
  const time = paint("dim", new Date().toTimeString().slice(0, 8));
  if (event === "request") {
    const { method, path, status, duration_ms } = details;
    const failed = typeof status === "number" && status >= 400;
    return `${time} ${String(method)} ${String(path)} ${paint(failed ? "yellow" : "green", String(status))} ${paint("dim", `${String(duration_ms)} ms`)}`;
  }
  const style = level === "error" ? "red" : level === "warn" ? "yellow" : "dim";
  const { text, ...others } = details;
  const rest = Object.keys(others).length === 0 ? "" : ` ${inspect(others, { depth: 4, breakLength: Infinity })}`;
  return `${time} ${paint(style, `${level} ${event}`)}${typeof text === "string" ? ` ${text}` : ""}${rest}`;
}
