import * as oauth from "oauth4webapi";
import { membersOf } from "./provider-text.ts";
import type { UpstreamStep } from "../../model/connections/upstream-details.ts";

/** A claim, header parameter or member whose value was rejected, with the expected value. */
export interface RefusedValue {
  readonly claim: string;
  readonly expected?: unknown;
  readonly received: unknown;
  /** The time on the clock of this server, in seconds since 1970. Only for claims that contain a time. */
  readonly now?: number;
}

/** The error for a value in a provider's response that was rejected. */
export class RefusedValueError extends Error {
  override readonly name = "RefusedValueError";
  readonly step: UpstreamStep;
  readonly refused: RefusedValue;

  constructor(step: UpstreamStep, message: string, refused: RefusedValue) {
    super(message);
    this.step = step;
    this.refused = refused;
  }
}

/** Returns the rejected value from an error of the library or from a {@link RefusedValueError}. */
export function refusedValueOf(error: unknown): RefusedValue | undefined {
  if (error instanceof RefusedValueError) return error.refused;
  if (!(error instanceof oauth.OperationProcessingError)) return undefined;
  const { attribute, body, claim, claims, expected, header, now, parameters } = membersOf(error.cause);
  switch (error.code) {
    case oauth.JWT_CLAIM_COMPARISON:
      return typeof claim === "string" ? { claim, expected, received: membersOf(claims)[claim] } : undefined;
    case oauth.JWT_TIMESTAMP_CHECK:
      return typeof claim === "string" && typeof now === "number" ? { claim, received: membersOf(claims)[claim], now } : undefined;
    case oauth.JSON_ATTRIBUTE_COMPARISON:
      return typeof attribute === "string" ? { claim: attribute, expected, received: membersOf(body)[attribute] } : undefined;
    case oauth.KEY_SELECTION:
      return { claim: "kid", received: membersOf(header)["kid"] };
    default:
      if (parameters instanceof URLSearchParams && error.message.includes('"iss"'))
        return { claim: "iss", expected, received: parameters.get("iss") ?? undefined };
      return Array.isArray(expected) || typeof expected === "string"
        ? { claim: "alg", expected, received: membersOf(header)["alg"] }
        : undefined;
  }
}
