import type { OutboundFetch } from "../adapters/network.ts";
import { hostLabel, methodLabel } from "./label-values.ts";
import type { Telemetry } from "./telemetry.ts";

/** The part of Postern that sends a request to another server. */
export type RequestPurpose = "identity_provider" | "client_document" | "custom_domain" | "delivery";

/** The members of the host services that {@link sendRequest} needs. */
interface Sender {
  readonly outboundFetch: OutboundFetch;
  readonly telemetry: Telemetry | undefined;
}

/** Sends a request to another server through the outbound client of the installation. @throws what the client throws. */
export function sendRequest({ outboundFetch, telemetry }: Sender, purpose: RequestPurpose, request: Request): Promise<Response> {
  if (telemetry === undefined) return outboundFetch(request);
  const observed = { purpose, method: methodLabel(request.method), host: hostLabel(request.url) };
  return telemetry.observeOutboundRequest(observed, () => outboundFetch(request));
}
