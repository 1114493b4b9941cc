import type { Row } from "../../store/schema.ts";
import { Authentication, newestMethods } from "../../model/sessions/authentication.ts";

/** When the user of a session authenticated. */
export interface AuthTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `false`: an identity provider vouches for the user and does not say since when. Then `at` is when they came back
   * from it, and satisfies no `max_age`.
   */
  readonly isKnown: boolean;
}

/**
 * Whether it is known when the user of a session authenticated. True without a session: such grants authenticate the
 * user themselves.
 */
export function isAuthTimeKnown(session: Pick<Row<"sessions">, "authentication"> | undefined): boolean {
  return session === undefined || Authentication.parse(session.authentication).auth_time_unknown !== true;
}

/** When the user of a session authenticated, in milliseconds since 1970; undefined when it is not known. */
export function authTimeOf(session: Pick<Row<"sessions">, "authentication" | "authenticated_at">): number | undefined {
  return isAuthTimeKnown(session) ? session.authenticated_at : undefined;
}

/**
 * A time that is not known, as codes and refresh tokens store it. They keep what was known when they were granted: a
 * later authentication of the session changes nothing about them. The previous version reads it as 1970, which
 * satisfies no `max_age` either.
 */
const unknownAuthTime = 0;

/** What codes and refresh tokens store for a time of authentication. */
export function toStoredAuthTime(authTime: number | undefined): number {
  return authTime ?? unknownAuthTime;
}

/** The time of authentication that a code or a refresh token stores; undefined when it was not known. */
export function fromStoredAuthTime(stored: number): number | undefined {
  return stored === unknownAuthTime ? undefined : stored;
}

/**
 * Returns the method of a session's newest authentication as an `amr` claim (RFC 8176). Empty without a session, and if
 * an identity provider authenticated the user.
 */
export function methodsOf(session: Pick<Row<"sessions">, "authentication"> | undefined): readonly string[] {
  const methods = session === undefined ? [] : newestMethods(session);
  return methods.map(({ name }) => name).filter((name) => name !== "federated");
}
