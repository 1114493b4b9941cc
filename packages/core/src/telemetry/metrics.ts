import type { Meter, MetricOptions, TelemetryAttributes } from "../adapters/telemetry.ts";
import { instruments, type InstrumentOf } from "./instruments.ts";
import type { ReportFailure } from "./spans.ts";

/** The metrics. The methods never throw, and do nothing without a meter. */
export interface Metrics {
  /** Adds to a counter. @param by default 1. */
  count(counter: InstrumentOf<"counter">, attributes: TelemetryAttributes, by?: number): void;
  /** Records a value in a histogram. */
  record(histogram: InstrumentOf<"histogram">, value: number, attributes: TelemetryAttributes): void;
  /** Sets the function that reads a gauge, at each export. It returns undefined if there is no value yet. */
  observe(gauge: InstrumentOf<"gauge">, read: () => number | undefined): void;
  /** Sets the function that reads the totals of a counter, at each export. For counters that change many times a request. */
  observeTotals(counter: InstrumentOf<"observed counter">, read: () => Iterable<readonly [number, TelemetryAttributes]>): void;
}

/** Creates {@link Metrics}. Every instrument is created at once, so that a dashboard also shows those without values. */
export function createMetrics(meter: Meter | undefined, report: ReportFailure): Metrics {
  const safely = <T>(call: () => T): T | undefined => {
    try {
      return call();
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  const counters = new Map<string, ReturnType<Meter["createCounter"]>>();
  const histograms = new Map<string, ReturnType<Meter["createHistogram"]>>();
  const observed = new Map<string, ReturnType<Meter["createObservableGauge"]>>();
  for (const [key, instrument] of Object.entries(meter === undefined ? {} : instruments)) {
    const { name, kind, unit, description } = instrument;
    const options: MetricOptions = { unit, description };
    safely(() => {
      if (meter === undefined) return;
      if (kind === "counter") counters.set(key, meter.createCounter(name, options));
      else if (kind === "gauge") observed.set(key, meter.createObservableGauge(name, options));
      else if (kind === "observed counter") observed.set(key, meter.createObservableCounter(name, options));
      else {
        const advice = { explicitBucketBoundaries: [...instrument.buckets] };
        histograms.set(key, meter.createHistogram(name, { ...options, advice }));
      }
    });
  }
  const addCallback = (key: string, read: (observe: (value: number, attributes: TelemetryAttributes) => void) => void): void =>
    safely(() => observed.get(key)?.addCallback((result) => safely(() => read((value, attributes) => result.observe(value, attributes)))));
  return {
    count: (counter, attributes, by = 1) => safely(() => counters.get(counter)?.add(by, attributes)),
    record: (histogram, value, attributes) => safely(() => histograms.get(histogram)?.record(value, attributes)),
    observe: (gauge, read) =>
      addCallback(gauge, (observe) => {
        const value = read();
        if (value !== undefined) observe(value, {});
      }),
    observeTotals: (counter, read) =>
      addCallback(counter, (observe) => {
        for (const [value, attributes] of read()) observe(value, attributes);
      }),
  };
}
