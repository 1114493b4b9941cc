import type { ClientName } from "./clients.ts";
import { randomText } from "./sign-ins.ts";

/** A session in the demo. The tokens stay on the server, and the browser stores only the session id. */
export interface DemoSession {
  readonly client: ClientName;
  readonly idToken: string;
  readonly claims: { readonly sub: string; readonly [name: string]: unknown };
  readonly accessToken: string;
  readonly accessExpiresAt: Date | undefined;
  readonly refreshToken: string | undefined;
  /** The earlier refresh tokens in this session, the newest first. */
  readonly usedTokens: readonly string[];
  readonly refreshedAt: Date | undefined;
}

/**
 * Sessions in memory, which a restart deletes. Signing in again then takes one click, because the SSO session at
 * Postern still exists.
 */
interface Sessions {
  find(id: string | undefined): DemoSession | undefined;
  /** @returns the new session's id. */
  add(session: DemoSession): string;
  replace(id: string, session: DemoSession): void;
  remove(id: string | undefined): void;
}

const maximumSessions = 1000;

export function createDemoSessions(): Sessions {
  const sessions = new Map<string, DemoSession>();
  return {
    find: (id) => (id === undefined ? undefined : sessions.get(id)),
    add(session) {
      const id = randomText();
      sessions.set(id, session);
      // A map preserves the insertion order, so this deletes the oldest session.
      for (const oldest of sessions.keys()) {
        if (sessions.size <= maximumSessions) break;
        sessions.delete(oldest);
      }
      return id;
    },
    replace(id, session) {
      // The user may have signed out during the refresh.
      if (sessions.has(id)) sessions.set(id, session);
    },
    remove: (id) => void (id !== undefined && sessions.delete(id)),
  };
}
