import { base64url } from "jose";
import type { Seal } from "./seal.ts";
import { readSession, type Content } from "./session.ts";
import type { SessionStore } from "./session-store.ts";

/** A session that was read from the store. */
export interface SessionRecord {
  readonly id: string;
  readonly content: Content;
  readonly revision: number;
  /** When it was written, in seconds since 1970. */
  readonly writtenAt: number;
}

/** The sessions in the store, by the id in the cookie. */
export interface SessionRecords {
  /** Returns undefined if the session is missing or expired, or if another app or secret encrypted it. */
  find(id: string): Promise<SessionRecord | undefined>;
  /** @param revision 0 to create the session, otherwise the revision to replace. @returns false after a lost race. */
  write(id: string, content: Content, revision: number): Promise<boolean>;
  delete(id: string): Promise<void>;
}

/** The dependencies of {@link createSessionRecords}. */
export interface SessionRecordContext {
  readonly seal: Seal;
  readonly store: SessionStore;
  readonly tenantId: string;
  readonly clientId: string;
  /** Milliseconds since 1970. */
  now(): number;
}

export function createSessionRecords({ seal, store, tenantId, clientId, now }: SessionRecordContext): SessionRecords {
  return {
    async find(id) {
      const found = await store.get(await sessionKeyOf(id));
      const opened = found && (await seal.decrypt(found.content, id));
      const content = readSession(opened);
      return found && content && { id, content, revision: found.revision, writtenAt: opened?.iat ?? 0 };
    },
    async write(id, content, revision) {
      const lifetime = Math.ceil(content.ends - now() / 1000);
      if (lifetime <= 0) return false;
      const encrypted = await seal.encrypt(content, lifetime, id);
      const owner = { tenantId, clientId, sid: content.sid, sub: content.claims.sub };
      return store.set(await sessionKeyOf(id), { ...owner, content: encrypted, expiresAt: content.ends * 1000 }, revision);
    },
    delete: async (id) => store.delete(await sessionKeyOf(id)),
  };
}

/** Returns the key of a session in the store: the SHA-256 hash of its id. */
export async function sessionKeyOf(id: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id))));
}
