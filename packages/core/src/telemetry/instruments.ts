/** The definition of an instrument. The guide docs/telemetry.md lists each of them. */
interface Instrument {
  readonly name: string;
  /** The values of a `gauge` and an `observed counter` are read at each export. */
  readonly kind: "counter" | "histogram" | "gauge" | "observed counter";
  readonly unit: string;
  readonly description: string;
  /** The boundaries of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** The boundaries that the OpenTelemetry conventions advise for requests, in seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The boundaries that the OpenTelemetry conventions advise for database calls, in seconds. */
const databaseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const lagBuckets = [1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400];

/** Every instrument. The first two have names of the OpenTelemetry semantic conventions. */
export const instruments = {
  requestDuration: {
    name: "http.server.request.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of requests.",
    buckets: requestBuckets,
  },
  dataCallDuration: {
    name: "db.client.operation.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of data calls.",
    buckets: databaseBuckets,
  },
  logins: { name: "postern.logins", kind: "counter", unit: "{login}", description: "Logins and failed logins." },
  tokensIssued: { name: "postern.tokens.issued", kind: "counter", unit: "{response}", description: "Responses with tokens, by grant." },
  refreshReplays: {
    name: "postern.refresh_tokens.replayed",
    kind: "counter",
    unit: "{replay}",
    description: "Refresh tokens that were used again after their rotation.",
  },
  auditEvents: { name: "postern.audit.events", kind: "counter", unit: "{event}", description: "Audit events, by type." },
  auditFailures: {
    name: "postern.audit.failures",
    kind: "counter",
    unit: "{event}",
    description: "Audit events that could not be stored and went to the logger.",
  },
  hashDuration: {
    name: "postern.password_hash.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of password hashes, with the time in the queue.",
    buckets: requestBuckets,
  },
  hashWait: {
    name: "postern.password_hash.wait",
    kind: "histogram",
    unit: "s",
    description: "Time that passwords wait in the queue before they are hashed.",
    buckets: requestBuckets,
  },
  hashesActive: { name: "postern.password_hash.active", kind: "gauge", unit: "{hash}", description: "Passwords that are being hashed." },
  hashesWaiting: { name: "postern.password_hash.waiting", kind: "gauge", unit: "{hash}", description: "Passwords that wait to be hashed." },
  cacheRequests: {
    name: "postern.cache.requests",
    kind: "observed counter",
    unit: "{request}",
    description: "Lookups in the cache of settings. `shared`: the value was being loaded for another lookup.",
  },
  cacheBytes: { name: "postern.cache.size", kind: "gauge", unit: "By", description: "Estimated size of the cache of settings." },
  admissionRejected: {
    name: "postern.admission.rejected",
    kind: "counter",
    unit: "{request}",
    description: "Requests that were rejected because too many ran or waited.",
  },
  admissionActive: { name: "postern.admission.active", kind: "gauge", unit: "{request}", description: "Requests that are being handled." },
  admissionWaiting: {
    name: "postern.admission.waiting",
    kind: "gauge",
    unit: "{request}",
    description: "Requests that wait to be handled.",
  },
  outboundDuration: {
    name: "postern.outbound_requests.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of requests to other servers.",
    buckets: requestBuckets,
  },
  actionDuration: {
    name: "postern.actions.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of actions.",
    buckets: requestBuckets,
  },
  messages: {
    name: "postern.messages",
    kind: "counter",
    unit: "{message}",
    description: "Emails, text messages and voice calls, by the result of their delivery.",
  },
  deliveryLag: {
    name: "postern.delivery.lag",
    kind: "histogram",
    unit: "s",
    description: "Age of the oldest item of an attempted delivery.",
    buckets: lagBuckets,
  },
  sweepRemoved: { name: "postern.sweep.removed", kind: "counter", unit: "{row}", description: "Rows that sweep removed." },
  sweepDuration: {
    name: "postern.sweep.duration",
    kind: "histogram",
    unit: "s",
    description: "Duration of calls of sweep.",
    buckets: lagBuckets,
  },
  sweepUnfinished: {
    name: "postern.sweep.unfinished",
    kind: "gauge",
    unit: "1",
    description: "1 if the last call of sweep left expired rows, else 0.",
  },
  ready: { name: "postern.ready", kind: "gauge", unit: "1", description: "1 if the last readiness check succeeded, else 0." },
} as const satisfies { readonly [name: string]: Instrument };

type InstrumentTable = typeof instruments;

/** The names of the instruments of one kind in the table {@link instruments}. */
export type InstrumentOf<Kind extends Instrument["kind"]> = {
  [Name in keyof InstrumentTable]: InstrumentTable[Name]["kind"] extends Kind ? Name : never;
}[keyof InstrumentTable];
