import type { Row } from "../../store/schema.ts";
import { Authentication, newestMethods } from "../../model/sessions/authentication.ts";

/** When the user of a session authenticated. */
export interface AuthTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `false` if an identity provider does not return when the user authenticated. Then `at` is when the user returned
   * from the provider, and satisfies no `max_age`.
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
 * The stored value of an unknown time in codes and refresh tokens. They store the time of their grant: a later
 * authentication of the session does not change it. The previous version reads the value as 1970, which satisfies no
 * `max_age` either.
 */
const unknownAuthTime = 0;

/** Converts a time of authentication to the value that codes and refresh tokens store. */
export function toStoredAuthTime(authTime: number | undefined): number {
  return authTime ?? unknownAuthTime;
}

/** Converts the stored time of authentication of a code or a refresh token; undefined if it was not known. */
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
