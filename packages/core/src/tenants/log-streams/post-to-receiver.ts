import type * as z from "zod";
import type { HostServices } from "../../context.ts";
import type { logEventSchema } from "../../model/logs/logs.ts";
import type { ReceiverType } from "../../model/logs/receivers.ts";
import { sendRequest } from "../../telemetry/send-request.ts";
import { UnsuccessfulResponse } from "../delivery/post.ts";
import { receivers } from "./receivers.ts";

/** A delivery to a receiver. `sink` contains the settings and the secrets. */
interface ReceiverDelivery {
  readonly type: ReceiverType;
  readonly sink: object;
  readonly events: readonly z.infer<typeof logEventSchema>[];
  readonly signal: AbortSignal;
}

/**
 * Posts a batch of events to a receiver, in its format. Redirects are not followed.
 * @returns the number of events that the receiver rejected for good while it stored the others. They are not delivered
 * again, because they would stop the stream.
 * @throws {UnsuccessfulResponse} if the receiver did not accept the batch, so that all of it is delivered again.
 */
export async function postToReceiver(
  host: Pick<HostServices, "outboundFetch" | "telemetry">,
  { type, sink, events, signal }: ReceiverDelivery,
): Promise<number> {
  const receiver = receivers[type];
  const { url, headers, text, isCompressed } = receiver.request(sink, events);
  const body = isCompressed ? await gzip(text) : text;
  const encoding = isCompressed ? { "content-encoding": "gzip" } : {};
  const request = new Request(url, { method: "POST", headers: { ...headers, ...encoding }, body, signal, redirect: "manual" });
  const response = await sendRequest(host, "delivery", request);
  if (response.ok) return 0;
  const rejected = receiver.rejectedEvents?.(response.status, await response.json().catch(() => undefined));
  if (rejected === undefined) throw new UnsuccessfulResponse(response.status);
  return rejected;
}

async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
