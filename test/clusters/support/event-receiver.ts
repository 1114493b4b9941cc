import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** An HTTP endpoint for log streams, one path per tenant. It rejects some requests, so that events are sent again. */
export interface EventReceiver {
  /** Returns the endpoint for a tenant's stream. */
  endpoint(tenantId: string): string;
  /** Sets the secret with which a tenant's stream signs. */
  trust(tenantId: string, signingSecret: string): void;
  /** The number of accepted deliveries of each event, by tenant and `log_id`. */
  readonly accepted: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The number of events by `<tenant> <type>`. An event counts once. */
  readonly types: ReadonlyMap<string, number>;
  readonly requests: { accepted: number; rejected: number; unanswered: number };
  /** Requests with a wrong signature, or which repeat a request that was accepted. */
  readonly faults: string[];
  close(): Promise<void>;
}

interface Delivery {
  readonly log_id: string;
  readonly data: { readonly type: string };
}

/** The requests in a cycle of {@link cycleLength} that the receiver does not accept. */
const rejected = new Set([10, 11, 45]);
const unanswered = new Set([30]);
const cycleLength = 60;

/** @param lossInterval loses one of this many accepted events, to check that the test detects it. 0: none. */
export async function startEventReceiver(lossInterval = 0): Promise<EventReceiver> {
  const secrets = new Map<string, string>();
  const accepted = new Map<string, Map<string, number>>();
  const types = new Map<string, number>();
  const acceptedIds = new Set<string>();
  const requests = { accepted: 0, rejected: 0, unanswered: 0 };
  const faults: string[] = [];
  let total = 0;
  let events = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const tenantId = (request.url ?? "").slice(1);
    const turn = total++ % cycleLength;
    if (unanswered.has(turn)) {
      requests.unanswered++;
      return;
    }
    if (rejected.has(turn)) {
      requests.rejected++;
      response.writeHead(500).end();
      return;
    }
    const header = (name: string): string => String(request.headers[name]);
    const id = header("webhook-id");
    const sentAt = new Date(Number(header("webhook-timestamp")) * 1000);
    if (new Webhook(secrets.get(tenantId) ?? "").sign(id, sentAt, body) !== header("webhook-signature")) faults.push(`signature of ${id}`);
    if (acceptedIds.has(id)) faults.push(`${id} was delivered again`);
    acceptedIds.add(id);
    const ofTenant = accepted.get(tenantId) ?? new Map<string, number>();
    accepted.set(tenantId, ofTenant);
    for (const { log_id: logId, data } of JSON.parse(body) as Delivery[]) {
      if (lossInterval > 0 && ++events % lossInterval === 0) continue;
      const before = ofTenant.get(logId) ?? 0;
      ofTenant.set(logId, before + 1);
      const type = `${tenantId} ${data.type}`;
      if (before === 0) types.set(type, (types.get(type) ?? 0) + 1);
    }
    requests.accepted++;
    response.writeHead(204).end();
  };
  const server = createServer(
    (request, response) => void handle(request, response).catch((error: unknown) => faults.push(`the receiver failed: ${String(error)}`)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: (tenantId) => `http://127.0.0.1:${port}/${tenantId}`,
    trust: (tenantId, secret) => void secrets.set(tenantId, secret),
    accepted,
    types,
    requests,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
