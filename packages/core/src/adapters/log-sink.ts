import type { JsonObject } from "../store/value.ts";

/** An audit event, as `GET /api/v2/logs` shows it. What is not known is null or empty. */
export interface DeliveredEvent {
  /** Names the event: the same where it is delivered again. */
  readonly log_id: string;
  /** ISO 8601. */
  readonly date: string;
  /** The vendor's code, such as `s` for a login. */
  readonly type: string;
  readonly description: string | null;
  readonly connection: string;
  readonly connection_id: string;
  readonly organization_id: string | null;
  readonly organization_name: string | null;
  readonly client_id: string;
  readonly client_name: string;
  readonly ip: string;
  readonly hostname: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly user_agent: string;
  readonly audience: string | null;
  readonly scope: string | null;
  readonly strategy: string;
  readonly strategy_type: string;
  readonly isMobile: boolean;
  readonly details: JsonObject;
}

/** Audit events on their way to one place. */
export interface LogDelivery {
  readonly tenantId: string;
  /** The log stream. */
  readonly streamId: string;
  /** Names this delivery: the same when it is repeated with the same events. */
  readonly id: string;
  /** Settings of the stream (`sink`), its secrets opened. */
  readonly sink: { readonly [name: string]: unknown };
  /** Events in their order, oldest first: at most 100. */
  readonly events: readonly DeliveredEvent[];
  /** Aborted when the time for it is up. */
  readonly signal: AbortSignal;
}

/**
 * Takes audit events to a kind of place: a queue, a bus, another service. A tenant's log stream of that type (`POST /api/v2/log-streams`) is delivered by it.
 * Each event is delivered at least once, in the order of the log. A throw, and no answer within 10 seconds, is tried again later with the same events: so a sink must bear an event twice, and knows it by its `log_id`.
 */
export interface LogSink {
  deliver(delivery: LogDelivery): Promise<void>;
}
