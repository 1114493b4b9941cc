/**
 * The telemetry of a host application: a tracer and a meter of the OpenTelemetry API, or objects of the same shape. Core
 * imports nothing of OpenTelemetry, so any version with this shape works (1.9 and 1.10 are tested).
 *
 * @example
 * telemetry: { tracer: trace.getTracer("postern"), meter: metrics.getMeter("postern"), activeSpan: () => trace.getActiveSpan() }
 */
export interface TelemetryOptions {
  /**
   * Creates spans. A span is the child of the active span only if the host application registered a context manager that
   * is based on `AsyncLocalStorage`. Default: no spans.
   */
  readonly tracer?: Tracer;
  /** Creates the instruments of the metrics, when `createPostern` is called. Default: no metrics. */
  readonly meter?: Meter;
  /**
   * Returns the active span. Core calls it when a request arrives, and adds `http.route` to the span that the host
   * application started for the request. Without a tracer, `trace_id` and `span_id` of log entries are those of this
   * span. Default: the span of the host application gets no route.
   */
  readonly activeSpan?: () => Span | undefined;
  /**
   * Whether metrics of requests, logins and tokens have the label `postern.tenant.id`. Each tenant then adds a time series
   * to each of them. Default: false.
   */
  readonly tenantLabel?: boolean;
}

/** The value of an attribute. */
export type AttributeValue = string | number | boolean;

/** The attributes of a span or a measurement. Each name of an attribute and each of its values comes from core. */
export interface TelemetryAttributes {
  [name: string]: AttributeValue;
}

/** The identity of a span, as `Span` of `@opentelemetry/api` returns it. */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly traceFlags: number;
}

/** A `Span` of `@opentelemetry/api`, reduced to what core calls. */
export interface Span {
  spanContext(): SpanContext;
  setAttribute(name: string, value: AttributeValue): unknown;
  addLink(link: { context: SpanContext }): unknown;
  /** @param status the code is 2 for an error. */
  setStatus(status: { code: number }): unknown;
  updateName(name: string): unknown;
  end(): void;
}

/** `SpanOptions` of `@opentelemetry/api`, reduced to what core passes. */
export interface SpanOptions {
  /** 0: internal; 2: client. */
  kind?: number;
  attributes?: TelemetryAttributes;
  links?: { context: SpanContext }[];
  /** Whether the span has no parent, even if a span is active. */
  root?: boolean;
}

/** A `Tracer` of `@opentelemetry/api`, reduced to what core calls. */
export interface Tracer {
  /** Starts a span, and calls `work` with it at once. The span is active during the call and its asynchronous work. */
  startActiveSpan<Work extends (span: Span) => unknown>(name: string, options: SpanOptions, work: Work): ReturnType<Work>;
}

/** `MetricOptions` of `@opentelemetry/api`, reduced to what core passes. */
export interface MetricOptions {
  description?: string;
  /** The unit in UCUM, such as `s` or `{request}`. */
  unit?: string;
  advice?: { explicitBucketBoundaries?: number[] };
}

/** An instrument whose values are read at each export. */
export interface ObservableInstrument {
  addCallback(read: (result: { observe(value: number, attributes?: TelemetryAttributes): void }) => void): void;
}

/** A `Meter` of `@opentelemetry/api`, reduced to what core calls. */
export interface Meter {
  createCounter(name: string, options: MetricOptions): { add(value: number, attributes: TelemetryAttributes): void };
  createHistogram(name: string, options: MetricOptions): { record(value: number, attributes: TelemetryAttributes): void };
  createObservableGauge(name: string, options: MetricOptions): ObservableInstrument;
  createObservableCounter(name: string, options: MetricOptions): ObservableInstrument;
}
