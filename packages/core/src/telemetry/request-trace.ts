import type { TelemetryAttributes } from "../adapters/telemetry.ts";
import type { ErrorCode } from "../errors.ts";
import { outcomeOfStatus, type WorkOutcome } from "./outcome.ts";
import type { RecordedSpan, TraceIds } from "./spans.ts";

/** The facts about a request that are known when it arrives. */
export interface RequestFacts {
  /** See `methodLabel`. */
  readonly method: string;
  readonly scheme: "http" | "https";
}

/** The facts about a request that are known when its response is. */
interface ResponseFacts {
  readonly status: number;
  /** The template of the path; undefined if no route has it. */
  readonly route: string | undefined;
  readonly tenantId: string | undefined;
  /** The client that authenticated. */
  readonly clientId: string | undefined;
  readonly errorCode: ErrorCode | undefined;
}

/** The trace of one request. */
export class RequestTrace {
  /** The ids for log entries and audit events. Empty if the request has no span. */
  readonly ids: TraceIds | Record<never, never>;
  readonly #facts: RequestFacts;
  readonly #span: RecordedSpan;
  readonly #hostSpan: RecordedSpan;
  #response: ResponseFacts | undefined;
  #clientId: string | undefined;
  #isRefused = false;

  constructor(facts: RequestFacts, span: RecordedSpan, hostSpan: RecordedSpan) {
    this.#facts = facts;
    this.#span = span;
    this.#hostSpan = hostSpan;
    this.ids = span.ids ?? hostSpan.ids ?? {};
  }

  /** Notes that the request was refused, although its response is a page or a redirect with another status. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** Notes the client that the request is about, although the client did not authenticate. */
  noteClient(clientId: string): void {
    this.#clientId = clientId;
  }

  describe(response: ResponseFacts): void {
    this.#response = response;
  }

  /** Sets the attributes of the span. @returns the attributes for the metric of the request. */
  finish(withTenant: boolean): TelemetryAttributes {
    const { method, scheme } = this.#facts;
    const { status, route, tenantId, clientId, errorCode } = this.#response ?? unknown;
    const ofStatus = outcomeOfStatus(status);
    const outcome: WorkOutcome = ofStatus === "ok" && this.#isRefused ? "refused" : ofStatus;
    if (route !== undefined) {
      this.#span.rename(`postern ${method} ${route}`);
      this.#hostSpan.set("http.route", route);
    }
    this.#span.set("http.route", route);
    this.#span.set("http.response.status_code", status);
    this.#span.set("postern.tenant.id", tenantId);
    this.#span.set("postern.client.id", clientId ?? this.#clientId);
    this.#span.set("postern.error.code", errorCode);
    this.#span.setOutcome(outcome);
    return {
      "http.request.method": method,
      "http.response.status_code": status,
      "url.scheme": scheme,
      "postern.outcome": outcome,
      ...(route !== undefined && { "http.route": route }),
      ...(status >= 500 && { "error.type": String(status) }),
      ...(withTenant && tenantId !== undefined && { "postern.tenant.id": tenantId }),
    };
  }
}

/** The facts about a request whose error handling itself failed. */
const unknown: ResponseFacts = { status: 500, route: undefined, tenantId: undefined, clientId: undefined, errorCode: undefined };
