import { base64url } from "jose";
import type { AccessTokenOptions, Exchange } from "./session-options.ts";
import type { CookieChanges } from "./cookies.ts";
import type { Content } from "./session.ts";

/** An access token is refreshed this many seconds before it expires. */
export const refreshBefore = 60;

/** A session that a request presents. */
export interface PresentedSession {
  readonly content: Content;
  /** The id in the cookie. Undefined if the cookies contain the session. */
  readonly id?: string;
}

/** Stores the sessions of an app: in cookies, or in a session store. */
export interface SessionStorage {
  /**
   * Returns the sessions that the browser sends, the latest first. There is more than one if the app had another path
   * before: the response cannot delete cookies of other paths.
   */
  read(header: string | null): Promise<readonly PresentedSession[]>;
  /**
   * Returns when a process with another secret encrypted the session, in seconds since 1970. Returns undefined if there
   * is no such session.
   */
  createdElsewhere(header: string | null): Promise<number | undefined>;
  /**
   * Stores the session of a completed sign-in, and adds its cookies. If the `Cookie` header becomes too long, deletes
   * sign-in attempts.
   * @param id a new id from {@link newSessionId}.
   * @param former the sessions that the browser sent. The new session replaces them.
   * @throws {SignInError} `session_too_large` if the cookies are still too long. Then they do not change.
   */
  create(
    changes: CookieChanges,
    header: string | null,
    created: Required<PresentedSession>,
    former: readonly PresentedSession[],
  ): Promise<void>;
  /** Deletes sessions that the tenant does not accept any more. */
  discard(exchange: Exchange, sessions: readonly PresentedSession[]): Promise<void>;
  /**
   * Deletes the sessions of a user who signs out, and the cookies. A refresh that is in progress does not restore them.
   */
  end(exchange: Exchange, sessions: readonly PresentedSession[]): Promise<void>;
  /** Returns the access token of a session, as `Sessions.getAccessToken` does. */
  accessToken(exchange: Exchange, session: PresentedSession, options: AccessTokenOptions): Promise<string | undefined>;
}

/** Returns a random id with 256 bits, in base64url. */
export function newSessionId(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}
