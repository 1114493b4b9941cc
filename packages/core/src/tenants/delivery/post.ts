import type { HostServices } from "../../context.ts";
import { sendRequest } from "../../telemetry/send-request.ts";
import { webhookHeaders } from "../../logs/webhook-signature.ts";

/** A destination responded with a status other than 2xx. */
export class UnsuccessfulResponse extends Error {
  override readonly name = "UnsuccessfulResponse";
  readonly status: number;

  constructor(status: number) {
    super(`the endpoint responded with ${status}`);
    this.status = status;
  }
}

/** A request to a destination. */
interface Post {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Posts a delivery. Redirects are not followed. @throws {UnsuccessfulResponse} unless the response has a 2xx status. */
export async function postDelivery(
  host: Pick<HostServices, "outboundFetch" | "telemetry">,
  { url, headers, body, signal }: Post,
): Promise<void> {
  const request = new Request(url, { method: "POST", headers, body, signal, redirect: "manual" });
  const response = await sendRequest(host, "delivery", request);
  if (!response.ok) throw new UnsuccessfulResponse(response.status);
}

/**
 * Posts a delivery that is signed as Standard Webhooks specifies (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature`), with the current time.
 * @param id the id of the delivery, the same for each attempt.
 * @throws as {@link postDelivery}.
 */
export async function postWebhook(
  host: Pick<HostServices, "outboundFetch" | "telemetry" | "clock">,
  { id, secret, ...post }: Post & { readonly id: string; readonly secret: string },
): Promise<void> {
  const headers = new Headers(post.headers);
  const signed = await webhookHeaders(secret, { id, text: post.body, now: host.clock.now() });
  for (const [name, value] of Object.entries(signed)) headers.set(name, value);
  await postDelivery(host, { ...post, headers });
}
