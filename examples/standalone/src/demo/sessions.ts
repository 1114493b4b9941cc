import type { ClientName } from "./clients.ts";
import { randomText } from "./sign-ins.ts";

/** Somebody who is signed in to the demo. The tokens stay on the server: the browser has nothing but the session's id. */
export interface Session {
  readonly client: ClientName;
  readonly idToken: string;
  readonly claims: { readonly sub: string; readonly [name: string]: unknown };
  readonly accessToken: string;
  readonly accessExpiresAt: Date | undefined;
  readonly refreshToken: string | undefined;
  /** The refresh tokens of this session before that one, the newest first. */
  readonly spentTokens: readonly string[];
  readonly refreshedAt: Date | undefined;
}

/** Sessions in memory, where a restart ends them: to sign in again then takes one click, because Postern still knows the browser. */
export interface Sessions {
  find(id: string | undefined): Session | undefined;
  /** @returns the new session's id. */
  add(session: Session): string;
  replace(id: string, session: Session): void;
  remove(id: string | undefined): void;
}

const most = 1000;

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  return {
    find: (id) => (id === undefined ? undefined : sessions.get(id)),
    add(session) {
      const id = randomText();
      sessions.set(id, session);
      // A map remembers the order: the oldest goes.
      for (const oldest of sessions.keys()) {
        if (sessions.size <= most) break;
        sessions.delete(oldest);
      }
      return id;
    },
    replace(id, session) {
      // Not where somebody signed out meanwhile.
      if (sessions.has(id)) sessions.set(id, session);
    },
    remove: (id) => void (id !== undefined && sessions.delete(id)),
  };
}
