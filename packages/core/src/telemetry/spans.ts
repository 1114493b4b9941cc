import type { AttributeValue, Span, SpanContext, SpanOptions, Tracer } from "../adapters/telemetry.ts";
import { describeFailure, type WorkOutcome } from "./outcome.ts";

/** Reports that a tracer or a meter threw. */
export type ReportFailure = (error: unknown) => void;

/** The kinds of spans that core creates, as OpenTelemetry numbers them. */
export const spanKind = { internal: 0, client: 2 } as const;

/** The status code of a span that failed, as OpenTelemetry numbers it. */
const errorStatus = 2;

/** The ids of a span, as log entries contain them. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** A span in progress. Its methods never throw. Without a tracer they do nothing. */
export class RecordedSpan {
  readonly #span: Span | undefined;
  readonly #report: ReportFailure;

  constructor(span: Span | undefined, report: ReportFailure) {
    this.#span = span;
    this.#report = report;
  }

  /** The context of the span, for links; undefined if there is no span. */
  get context(): SpanContext | undefined {
    return this.#safely((span) => {
      const context = span.spanContext();
      return isValid(context) ? context : undefined;
    });
  }

  /** The ids for log entries; undefined if there is no span. */
  get ids(): TraceIds | undefined {
    const { context } = this;
    return context && { trace_id: context.traceId, span_id: context.spanId };
  }

  set(name: string, value: AttributeValue | undefined): void {
    if (value !== undefined) this.#safely((span) => void span.setAttribute(name, value));
  }

  /** Links the span to another one, if that one is recorded. */
  link(other: RecordedSpan): void {
    const { context } = other;
    if (context !== undefined) this.#safely((span) => void span.addLink({ context }));
  }

  rename(name: string): void {
    this.#safely((span) => void span.updateName(name));
  }

  /** Sets `postern.outcome`. An `error` also sets the status of the span. */
  setOutcome(outcome: WorkOutcome): void {
    this.set("postern.outcome", outcome);
    if (outcome === "error") this.#safely((span) => void span.setStatus({ code: errorStatus }));
  }

  /** Sets the outcome and `error.type` of failed work. */
  fail(error: unknown): void {
    const { outcome, errorType } = describeFailure(error);
    this.set("error.type", errorType);
    this.setOutcome(outcome);
  }

  end(): void {
    this.#safely((span) => span.end());
  }

  #safely<T>(call: (span: Span) => T): T | undefined {
    if (this.#span === undefined) return undefined;
    try {
      return call(this.#span);
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }
}

/** Whether the ids are those of a recorded span. Without a registered SDK, the API returns ids of zeros. */
function isValid({ traceId, spanId }: SpanContext): boolean {
  return /^(?!0+$)[0-9a-f]{32}$/.test(traceId) && /^(?!0+$)[0-9a-f]{16}$/.test(spanId);
}

/**
 * Runs work in a span, which is the active span of the work. A tracer that throws, or that does not call the function, has
 * no effect on the work: it runs exactly once, if necessary without a span.
 * @throws what the work throws. Its text is not recorded.
 */
export function runInSpan<T>(
  tracer: Tracer | undefined,
  report: ReportFailure,
  { name, options }: { readonly name: string; readonly options: SpanOptions },
  work: (span: RecordedSpan) => Promise<T>,
): Promise<T> {
  const state: { result?: Promise<T>; isDecided?: true } = {};
  if (tracer !== undefined) {
    try {
      tracer.startActiveSpan(name, options, (span) => {
        if (state.isDecided === undefined) state.result = recordWork(new RecordedSpan(span, report), work);
        state.isDecided = true;
      });
    } catch (error) {
      report(error);
    }
    state.isDecided = true;
  }
  return state.result ?? recordWork(new RecordedSpan(undefined, report), work);
}

async function recordWork<T>(span: RecordedSpan, work: (span: RecordedSpan) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
