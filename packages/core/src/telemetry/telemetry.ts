import type { Clock } from "../adapters/clock.ts";
import type { Logger } from "../adapters/logger.ts";
import type { TelemetryAttributes, TelemetryOptions, Tracer } from "../adapters/telemetry.ts";
import type { AuditEvent } from "../model/logs/audit-event.ts";
import { auditEventTypes } from "../model/logs/audit-event-types.ts";
import type { InstrumentOf } from "./instruments.ts";
import { loginResultOf, other, strategyLabel } from "./label-values.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { describeFailure, outcomeOfStatus, type WorkOutcome } from "./outcome.ts";
import { RequestTrace, type RequestFacts } from "./request-trace.ts";
import { RecordedSpan, runInSpan, spanKind, type ReportFailure } from "./spans.ts";

/** A histogram that also measures the work of a span, with the attributes of its measurement. */
interface Measurement {
  readonly histogram: InstrumentOf<"histogram">;
  readonly attributes: TelemetryAttributes;
}

/** Work that is recorded as one span. */
interface ObservedWork {
  readonly name: string;
  readonly attributes?: TelemetryAttributes;
  /** Whether the work is a call to another system. Default: false. */
  readonly isClient?: true;
  /** The requests that share the work. The span then has no parent, and links to each of them. */
  readonly sharedBy?: readonly RecordedSpan[];
  /** Default: only a span. */
  readonly measured?: Measurement;
}

/** Numbers of lookups in the cache of settings. `shared`: the value was being loaded for another lookup. */
interface CacheLookups {
  hit: number;
  miss: number;
  shared: number;
}

/**
 * The spans and metrics of one `createPostern` call, if the host application passes the option `telemetry`. Without the
 * option there is no such object, and each place that would use it checks only that.
 *
 * No failure of the host application's tracer or meter changes the result of the observed work. No span and no metric
 * contains a user, an address, a token, the host of a tenant's server or text that a request can choose: the values of
 * attributes come from closed lists, and others become `other` (`_OTHER` where the OpenTelemetry conventions say so).
 */
export class Telemetry {
  readonly metrics: Metrics;
  readonly #tracer: Tracer | undefined;
  readonly #readActiveSpan: NonNullable<TelemetryOptions["activeSpan"]>;
  readonly #tenantLabel: boolean;
  readonly #report: ReportFailure;
  readonly #clock: Clock;
  /** The numbers of lookups in the cache of settings, by collection. */
  readonly #cacheLookups = new Map<string, CacheLookups>();
  /** Whether the last call of `sweep` left no expired rows. Undefined before the first call. */
  #isSweepFinished: boolean | undefined;

  constructor(
    { tracer, meter, activeSpan, tenantLabel = false }: TelemetryOptions,
    host: { readonly clock: Clock; readonly logger: Logger },
  ) {
    let isReported = false;
    this.#report = (error) => {
      if (!isReported) host.logger.log({ level: "warn", event: "telemetry_failed", error });
      isReported = true;
    };
    this.#clock = host.clock;
    this.#tracer = tracer;
    this.#readActiveSpan = activeSpan ?? (() => undefined);
    this.#tenantLabel = tenantLabel;
    this.metrics = createMetrics(meter, this.#report);
    this.metrics.observeTotals("cacheRequests", () => this.#cacheTotals());
    this.metrics.observe("sweepUnfinished", () => (this.#isSweepFinished === undefined ? undefined : Number(!this.#isSweepFinished)));
  }

  /** Returns milliseconds since an arbitrary moment, to measure durations. */
  now(): number {
    return this.#clock.monotonic?.() ?? this.#clock.now();
  }

  /** Returns the active span: of the request that runs now, or the one that the host application started for it. */
  activeSpan(): RecordedSpan {
    try {
      return new RecordedSpan(this.#readActiveSpan(), this.#report);
    } catch (error) {
      this.#report(error);
      return new RecordedSpan(undefined, this.#report);
    }
  }

  /**
   * Records work as a span, which is a child of the active span unless the work is shared.
   * @throws what the work throws.
   */
  observe<T>(observed: ObservedWork, work: (span: RecordedSpan) => Promise<T>): Promise<T> {
    const { name, attributes = {}, isClient, sharedBy, measured } = observed;
    const links = sharedBy?.flatMap(({ context }) => (context === undefined ? [] : [{ context }]));
    const options = {
      kind: isClient === true ? spanKind.client : spanKind.internal,
      attributes,
      ...(links !== undefined && { links, root: true }),
    };
    if (measured === undefined) return runInSpan(this.#tracer, this.#report, { name, options }, work);
    return runInSpan(this.#tracer, this.#report, { name, options }, (span) => this.#measure(measured, () => work(span)));
  }

  /** Records a request as a span, and measures it. `work` adds the facts about the request to its {@link RequestTrace}. */
  observeRequest<T>(facts: RequestFacts, work: (trace: RequestTrace) => Promise<T>): Promise<T> {
    const began = this.now();
    const hostSpan = this.activeSpan();
    const name = `postern ${facts.method}`;
    const attributes = { "http.request.method": facts.method };
    return runInSpan(this.#tracer, this.#report, { name, options: { kind: spanKind.internal, attributes } }, async (span) => {
      const trace = new RequestTrace(facts, span, hostSpan);
      try {
        return await work(trace);
      } finally {
        this.metrics.record("requestDuration", (this.now() - began) / 1000, trace.finish(this.#tenantLabel));
      }
    });
  }

  /** Returns the trace of a call from the host application, which has no span besides the host's. */
  traceOfCall(): Pick<RequestTrace, "ids" | "refuse" | "noteClient"> {
    return { ids: this.activeSpan().ids ?? {}, refuse: () => {}, noteClient: () => {} };
  }

  /**
   * Counts an audit event, and the login or failed login that it reports.
   * @param trace the trace of the request, which a failed login refuses whatever its response is.
   */
  countAuditEvent(event: AuditEvent, tenantId: string, trace: Pick<RequestTrace, "refuse"> | undefined): void {
    this.metrics.count("auditEvents", { "postern.event.type": Object.hasOwn(auditEventTypes, event.type) ? event.type : other });
    const login = loginResultOf(event);
    if (login === undefined) return;
    if (login.outcome !== "ok") trace?.refuse();
    this.metrics.count("logins", {
      "postern.outcome": login.outcome,
      "postern.login.reason": login.reason,
      "postern.connection.strategy": strategyLabel(event.connection?.strategy),
      ...this.#tenantAttributes(tenantId),
    });
  }

  /**
   * Counts a lookup in the cache of settings.
   * @param entry the entry that was found; undefined if there is none.
   */
  countCacheLookup(collection: string, entry: { readonly isLoading: boolean } | undefined): void {
    let lookups = this.#cacheLookups.get(collection);
    if (lookups === undefined) this.#cacheLookups.set(collection, (lookups = { hit: 0, miss: 0, shared: 0 }));
    lookups[entry === undefined ? "miss" : entry.isLoading ? "shared" : "hit"]++;
  }

  /** Counts a response that contains tokens. @param grant its grant type, without the prefix of a URN. */
  countTokens(grant: string, tenantId: string): void {
    this.metrics.count("tokensIssued", { "postern.grant": grant, ...this.#tenantAttributes(tenantId) });
  }

  /** Records a call of the job `sweep` as a span, with the rows that it removed and whether it left expired rows. */
  observeSweep<R extends { readonly removed: number; readonly finished: boolean }>(sweep: () => Promise<R>): Promise<R> {
    const measured = { histogram: "sweepDuration", attributes: {} } as const;
    return this.observe({ name: "postern sweep", measured }, async (span) => {
      const result = await sweep();
      span.set("postern.sweep.removed", result.removed);
      this.metrics.count("sweepRemoved", {}, result.removed);
      this.#isSweepFinished = result.finished;
      return result;
    });
  }

  /**
   * Records an attempted delivery.
   * @param lag the age of its oldest item, in milliseconds.
   */
  recordDelivery(queue: "log_streams" | "logout_tokens", lag: number, outcome: WorkOutcome): void {
    this.metrics.record("deliveryLag", Math.max(0, lag) / 1000, { "postern.queue": queue, "postern.outcome": outcome });
  }

  /** Sends a request to another server. @param purpose the part of Postern that sends it. */
  observeOutboundRequest(
    { purpose, method, host }: { readonly purpose: string; readonly method: string; readonly host: string },
    send: () => Promise<Response>,
  ): Promise<Response> {
    const attributes = { "postern.request.purpose": purpose, "http.request.method": method, "server.address": host };
    const measured = { histogram: "outboundDuration", attributes: { "postern.request.purpose": purpose } } as const;
    return this.observe({ name: `request ${purpose}`, attributes, isClient: true, measured }, async (span) => {
      const response = await send();
      span.set("http.response.status_code", response.status);
      span.setOutcome(outcomeOfStatus(response.status));
      return response;
    });
  }

  *#cacheTotals(): Generator<readonly [number, TelemetryAttributes]> {
    for (const [collection, lookups] of this.#cacheLookups) {
      for (const [result, total] of Object.entries(lookups)) {
        yield [total, { "db.collection.name": collection, "postern.cache.result": result }];
      }
    }
  }

  #tenantAttributes(tenantId: string): TelemetryAttributes {
    return this.#tenantLabel ? { "postern.tenant.id": tenantId } : {};
  }

  async #measure<T>({ histogram, attributes }: Measurement, work: () => Promise<T>): Promise<T> {
    const began = this.now();
    const record = (more: TelemetryAttributes): void =>
      this.metrics.record(histogram, (this.now() - began) / 1000, { ...attributes, ...more });
    try {
      const result = await work();
      record({});
      return result;
    } catch (error) {
      record({ "error.type": describeFailure(error).errorType });
      throw error;
    }
  }
}
