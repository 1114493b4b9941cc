import type { JsonObject } from "../../data/value.ts";
import type { Environment } from "../../domain/environment.ts";
import type { LogEvent } from "../../model/logs/logs.ts";

/** Events for an HTTP endpoint. */
interface Post {
  readonly id: string;
  readonly sink: { readonly [name: string]: unknown };
  readonly secrets: JsonObject;
  readonly events: readonly LogEvent[];
  readonly signal: AbortSignal;
}

const encoder = new TextEncoder();

/**
 * Posts events, in the vendor's shape: `{ log_id, data }` each. Every request is signed by the Standard Webhooks scheme (`webhook-id`, `webhook-timestamp`, `webhook-signature`).
 * @throws where the endpoint does not answer with a success.
 */
export async function postEvents(
  { askServer, clock }: Pick<Environment, "askServer" | "clock">,
  { id, sink, secrets, events, signal }: Post,
): Promise<void> {
  const items = events.map((data) => ({ log_id: data.log_id, data }));
  const format = sink["httpContentFormat"];
  const bodies =
    format === "JSONOBJECT"
      ? items.map((item) => ({ id: `${id}.${item.log_id}`, text: JSON.stringify(item) }))
      : [{ id, text: format === "JSONLINES" ? items.map((item) => `${JSON.stringify(item)}\n`).join("") : JSON.stringify(items) }];
  for (const { id: messageId, text } of bodies) {
    const headers = new Headers(customHeaders(secrets["httpCustomHeaders"]));
    headers.set("content-type", textOf(sink["httpContentType"]) ?? "application/json");
    const authorization = textOf(secrets["httpAuthorization"]);
    if (authorization !== undefined && authorization !== "") headers.set("authorization", authorization);
    const timestamp = String(Math.floor(clock.now() / 1000));
    headers.set("webhook-id", messageId);
    headers.set("webhook-timestamp", timestamp);
    headers.set("webhook-signature", `v1,${await signature(String(secrets["signing"]), `${messageId}.${timestamp}.${text}`)}`);
    const response = await askServer(
      new Request(String(sink["httpEndpoint"]), { method: "POST", headers, body: text, signal, redirect: "manual" }),
    );
    if (!response.ok) throw new Error(`the endpoint answered ${response.status}`);
  }
}

/** HMAC-SHA256 of what is sent, in base64. */
async function signature(secret: string, signed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, "")), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(signed)));
  return btoa(String.fromCharCode(...mac));
}

function customHeaders(stored: unknown): [string, string][] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: { header?: unknown; value?: unknown }): [string, string][] =>
    typeof one.header === "string" && typeof one.value === "string" ? [[one.header, one.value]] : [],
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
