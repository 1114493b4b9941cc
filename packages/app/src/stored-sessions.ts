import { changeCookies, readChunks, type CookieKind } from "./cookies.ts";
import { createStoredTokens, type StoredTokenContext } from "./stored-tokens.ts";
import type { Attempts } from "./attempts.ts";
import { createSessionRecords, sessionKeyOf, type SessionRecordContext } from "./session-records.ts";
import type { SessionStorage } from "./session-storage.ts";

/** The dependencies of {@link createStoredSessions}. */
interface StoredSessionContext extends Omit<StoredTokenContext, "records">, SessionRecordContext {
  readonly kind: CookieKind;
  readonly attempts: Attempts;
}

/** Creates a {@link SessionStorage} in a session store. The cookie contains only the id of the session. */
export function createStoredSessions(context: StoredSessionContext): SessionStorage {
  const { kind, seal, attempts, store, tenantId, clientId, now } = context;
  const idsIn = (header: string | null): readonly string[] => readChunks(kind, header).filter((value) => /^[\w-]{43}$/.test(value));

  const records = createSessionRecords(context);
  const accessToken = createStoredTokens({ ...context, records });

  return {
    async read(header) {
      const found = await Promise.all(idsIn(header).map((id) => records.find(id)));
      return found.filter((record) => record !== undefined).toSorted((a, b) => b.writtenAt - a.writtenAt);
    },
    async createdElsewhere(header) {
      const found = await Promise.all(idsIn(header).map(async (id) => store.get(await sessionKeyOf(id))));
      const times = await Promise.all(found.map(async (one) => one && seal.encryptedElsewhere(one.content)));
      return times.find((time) => time !== undefined);
    },
    async create(changes, header, { id, content }, former) {
      // If the browser sends the callback twice at once, both requests have the same id, and the first one stores it.
      await records.write(id, content, 0);
      for (const { id: formerId } of former) if (formerId !== undefined && formerId !== id) await records.delete(formerId);
      changes.setChunks(kind, id, Math.ceil(content.ends - now() / 1000));
      attempts.makeRoom(changes, header);
    },
    // The cookie stays: another tab may have signed in meanwhile, and a deletion would remove its new id.
    async discard(_, sessions) {
      for (const { id } of sessions) if (id !== undefined) await records.delete(id);
    },
    async end(exchange, sessions) {
      for (const sid of new Set(sessions.map(({ content }) => content.sid))) await store.deleteWhere({ tenantId, clientId, sid });
      await changeCookies(kind, exchange, (changes) => changes.deleteChunks(kind));
    },
    accessToken: (_, { id = "", content }, options) => accessToken(id, content, options),
  };
}
