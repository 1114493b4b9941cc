import type { JsonObject } from "../store/value.ts";

/** An audit event, as `GET /api/v2/logs` returns it. Unknown members are null or empty strings. */
export interface DeliveredEvent {
  /** Identifies the event. It is the same in each delivery of the event. */
  readonly log_id: string;
  /** ISO 8601. */
  readonly date: string;
  /** Auth0's event type code, such as `s` for a login. */
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

/** A batch of audit events for one log stream. */
export interface LogDelivery {
  /** The tenant of the events. */
  readonly tenantId: string;
  /** The id of the log stream. */
  readonly streamId: string;
  /** Identifies the delivery. A retry with the same events has the same id. */
  readonly id: string;
  /** The settings of the log stream (`sink`), with its secrets decrypted. */
  readonly sink: { readonly [name: string]: unknown };
  /** At most 100 events, the oldest first. */
  readonly events: readonly DeliveredEvent[];
  /** Aborted when the delivery times out. */
  readonly signal: AbortSignal;
}

/**
 * Delivers audit events to an external system, such as a queue or an event bus. A sink serves all log streams of its
 * type (`POST /api/v2/log-streams`). Each event is delivered at least once, in the order of the log. If a delivery
 * rejects or takes more than 10 seconds, Postern retries it later with the same events. A sink must therefore accept
 * duplicates, which have the same `log_id`.
 */
export interface LogSink {
  /** Delivers a batch of events. Resolve when the events are stored at the destination. */
  deliver(delivery: LogDelivery): Promise<void>;
}
