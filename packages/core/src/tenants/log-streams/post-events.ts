import type * as z from "zod";
import type { HostServices } from "../../context.ts";
import { webhookHeaders } from "../../logs/webhook-signature.ts";
import type { JsonObject } from "../../store/value.ts";
import type { logEventSchema } from "../../model/logs/logs.ts";

/** A delivery of events to an HTTP endpoint. */
interface Post {
  readonly id: string;
  readonly sink: { readonly [name: string]: unknown };
  readonly secrets: JsonObject;
  readonly events: readonly z.infer<typeof logEventSchema>[];
  readonly signal: AbortSignal;
}

/**
 * Posts events in Auth0's format, `{ log_id, data }` each. Every request is signed as Standard Webhooks specifies
 * (`webhook-id`, `webhook-timestamp`, `webhook-signature`).
 * @throws if the endpoint does not respond with a 2xx status.
 */
export async function postEvents(
  { outboundFetch, clock }: Pick<HostServices, "outboundFetch" | "clock">,
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
    const signed = await webhookHeaders(String(secrets["signing"]), { id: messageId, text, now: clock.now() });
    for (const [name, value] of Object.entries(signed)) headers.set(name, value);
    const response = await outboundFetch(
      new Request(String(sink["httpEndpoint"]), { method: "POST", headers, body: text, signal, redirect: "manual" }),
    );
    if (!response.ok) throw new Error(`the endpoint responded with ${response.status}`);
  }
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
