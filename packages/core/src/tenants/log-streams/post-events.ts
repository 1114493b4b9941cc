import type * as z from "zod";
import type { HostServices } from "../../context.ts";
import type { JsonObject } from "../../store/value.ts";
import type { logEventSchema } from "../../model/logs/logs.ts";
import { postWebhook } from "../delivery/post.ts";

/** A delivery of events to an HTTP endpoint. */
interface PostedEvents {
  readonly id: string;
  readonly sink: { readonly [name: string]: unknown };
  readonly secrets: JsonObject;
  readonly events: readonly z.infer<typeof logEventSchema>[];
  readonly signal: AbortSignal;
}

/**
 * Posts events in Auth0's format, `{ log_id, data }` each. Every request is signed ({@link postWebhook}).
 * @throws if the endpoint does not respond with a 2xx status.
 */
export async function postEvents(
  host: Pick<HostServices, "outboundFetch" | "telemetry" | "clock">,
  { id, sink, secrets, events, signal }: PostedEvents,
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
    const secret = String(secrets["signing"]);
    await postWebhook(host, { url: String(sink["httpEndpoint"]), headers, body: text, signal, id: messageId, secret });
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
