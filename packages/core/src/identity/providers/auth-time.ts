import type { ServiceContext } from "../../context.ts";
import type { JsonObject } from "../../store/value.ts";
import { providerClockTolerance } from "./attempt.ts";
import { RefusedValueError } from "./refused-value.ts";

/** Reads `auth_time` from the claims of a provider. @throws {UpstreamError} if the time is invalid or in the future. */
export function readAuthTime({ auth_time: authTime }: JsonObject, context: ServiceContext): number | undefined {
  if (authTime === undefined) return undefined;
  const at = typeof authTime === "number" ? Math.floor(authTime * 1000) : NaN;
  const isTime = Number.isSafeInteger(at) && at > 0;
  if (isTime && at <= context.now() + providerClockTolerance * 1000) return at;
  throw new RefusedValueError("id_token", 'the ID token has an invalid "auth_time"', {
    claim: "auth_time",
    received: authTime,
    ...(isTime && { now: context.now() / 1000 }),
  });
}
