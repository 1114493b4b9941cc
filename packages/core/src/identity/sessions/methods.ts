import type { Row } from "../../store/schema.ts";
import { Authentication, newestMethods } from "../../model/sessions/authentication.ts";

/** When the user of a session authenticated. */
export interface AuthTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `false` if an identity provider did not report when the user authenticated. In this case `at` is the time at which
   * the user returned from the provider, and the session satisfies no `max_age`.
   */
  readonly isKnown: boolean;
}

/**
 * Returns whether the authentication time of a session is known. `true` without a session, because grants without a
 * session authenticate the user themselves.
 */
export function isAuthTimeKnown(session: Pick<Row<"sessions">, "authentication"> | undefined): boolean {
  return session === undefined || Authentication.parse(session.authentication).auth_time_unknown !== true;
}

/** Returns the authentication time of a session, in milliseconds since 1970; undefined if it is not known. */
export function authTimeOf(session: Pick<Row<"sessions">, "authentication" | "authenticated_at">): number | undefined {
  return isAuthTimeKnown(session) ? session.authenticated_at : undefined;
}

/**
 * The value that codes and refresh tokens store for an unknown authentication time. They store the authentication time
 * of their grant, which does not change when the user authenticates again in the session. The previous version of
 * Postern reads this value as 1970, which satisfies no `max_age` either.
 */
const unknownAuthTime = 0;

/** Converts an authentication time to the value that codes and refresh tokens store. */
export function toStoredAuthTime(authTime: number | undefined): number {
  return authTime ?? unknownAuthTime;
}

/**
 * Converts the authentication time that a code or a refresh token stores. Returns undefined if the time is not known.
 */
export function fromStoredAuthTime(stored: number): number | undefined {
  return stored === unknownAuthTime ? undefined : stored;
}

/**
 * Returns the value of the `amr` claim (RFC 8176): the method of the latest authentication in a session. Empty without
 * a session, and if an identity provider authenticated the user.
 */
export function methodsOf(session: Pick<Row<"sessions">, "authentication"> | undefined): readonly string[] {
  const methods = session === undefined ? [] : newestMethods(session);
  return methods.map(({ name }) => name).filter((name) => name !== "federated");
}
