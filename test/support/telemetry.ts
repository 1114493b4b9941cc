import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { Span, SpanContext, TelemetryAttributes, TelemetryOptions } from "@postern/core";

/** A span that was recorded. */
export interface TestSpan {
  name: string;
  readonly context: SpanContext;
  readonly parent: TestSpan | undefined;
  readonly links: SpanContext[];
  readonly attributes: TelemetryAttributes;
  hasErrorStatus: boolean;
  hasEnded: boolean;
}

/** A value that an instrument recorded. */
export interface Measurement {
  readonly instrument: string;
  readonly value: number;
  readonly attributes: TelemetryAttributes;
}

/** Telemetry whose spans and measurements a test can read. */
export interface RecordedTelemetry {
  readonly telemetry: Required<Omit<TelemetryOptions, "tenantLabel">>;
  readonly spans: TestSpan[];
  readonly measurements: Measurement[];
  /** Returns the current values of the gauges, and of the counters that are read at an export. */
  readObserved(): readonly Measurement[];
  /** Runs work in a span of the host application. */
  runInHostSpan<T>(work: () => Promise<T>): Promise<{ readonly span: TestSpan; readonly result: T }>;
  /** Returns the spans below a span, as a tree of names. */
  treeOf(span: TestSpan): NameTree;
}

/** The name of a span, and those of the spans below it. */
export type NameTree = string | { readonly [name: string]: readonly NameTree[] };

/** Creates {@link RecordedTelemetry}, in the shape of the OpenTelemetry API with a context manager. */
export function recordTelemetry(): RecordedTelemetry {
  const active = new AsyncLocalStorage<{ readonly test: TestSpan; readonly span: Span }>();
  const spans: TestSpan[] = [];
  const measurements: Measurement[] = [];
  const observed: { readonly name: string; read?: (result: { observe(value: number, attributes?: TelemetryAttributes): void }) => void }[] =
    [];

  const start = (name: string, links: readonly SpanContext[], attributes: TelemetryAttributes, isRoot: boolean) => {
    const parent = isRoot ? undefined : active.getStore()?.test;
    const traceId = parent?.context.traceId ?? randomBytes(16).toString("hex");
    const context = { traceId, spanId: randomBytes(8).toString("hex"), traceFlags: 1 };
    const test: TestSpan = {
      name,
      context,
      parent,
      links: [...links],
      attributes: { ...attributes },
      hasErrorStatus: false,
      hasEnded: false,
    };
    spans.push(test);
    const span: Span = {
      spanContext: () => context,
      addLink: (link) => void test.links.push(link.context),
      setAttribute: (key, value) => void (test.attributes[key] = value),
      setStatus: ({ code }) => void (test.hasErrorStatus = code === 2),
      updateName: (changed) => void (test.name = changed),
      end: () => void (test.hasEnded = true),
    };
    return { test, span };
  };
  const measure = (instrument: string) => (value: number, attributes: TelemetryAttributes) =>
    void measurements.push({ instrument, value, attributes });

  const observe = (name: string) => {
    const instrument: (typeof observed)[number] = { name };
    observed.push(instrument);
    return { addCallback: (read: NonNullable<typeof instrument.read>) => void (instrument.read = read) };
  };

  return {
    telemetry: {
      tracer: {
        startActiveSpan: (name, { links = [], attributes = {}, root = false }, work) => {
          const started = start(
            name,
            links.map(({ context }) => context),
            attributes,
            root,
          );
          // The work returns what its type says.
          return active.run(started, () => work(started.span)) as ReturnType<typeof work>;
        },
      },
      meter: {
        createCounter: (name) => ({ add: measure(name) }),
        createHistogram: (name) => ({ record: measure(name) }),
        createObservableGauge: observe,
        createObservableCounter: observe,
      },
      activeSpan: () => active.getStore()?.span,
    },
    spans,
    measurements,
    readObserved: () =>
      observed.flatMap(({ name, read }) => {
        const values: Measurement[] = [];
        read?.({ observe: (value, attributes = {}) => void values.push({ instrument: name, value, attributes }) });
        return values;
      }),
    runInHostSpan: async (work) => {
      const started = start("host", [], {}, true);
      return { span: started.test, result: await active.run(started, work) };
    },
    treeOf: function treeOf(span): NameTree {
      const children = spans.filter(({ parent }) => parent === span).map(treeOf);
      return children.length === 0 ? span.name : { [span.name]: children };
    },
  };
}
