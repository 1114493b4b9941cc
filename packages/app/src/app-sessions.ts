import type { Collection, DataAdapter, StoredRow } from "@postern/core/adapter";
import { toService } from "./service-source.ts";
import type { SessionStore } from "./session-store.ts";

/** A data adapter, a promise of one, or a function that opens one at the first request, once in a process. */
export type DataSource = DataAdapter | Promise<DataAdapter> | (() => DataAdapter | Promise<DataAdapter>);

/** Options of {@link appSessions}. */
export interface AppSessionsOptions {
  /** Returns the time, in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

/**
 * Creates a {@link SessionStore} over the collection `app_sessions` of a data adapter, such as the `data` of
 * `createPostern`. `postern.jobs.sweep` deletes its expired sessions.
 * @throws {TypeError} if the adapter omits the collection, which is optional. For a promise or a function, the first
 * request rejects with this error.
 *
 * @example
 * const sessions = createSessions({ postern, tenantId: "main", clientId: "app", appUrl, secret, store: appSessions(data) });
 */
export function appSessions(data: DataSource, { now = Date.now }: AppSessionsOptions = {}): SessionStore {
  if (isAdapter(data)) collectionOf(data);
  const open = toService(data);
  const rows = async (): Promise<Collection<StoredRow<"app_sessions">>> => collectionOf(await open());

  return {
    async get(key) {
      const where = { id_hash: key, expires_at: { gt: now() } };
      const [found] = await (await rows()).find({ where, fields: ["content", "revision"], limit: 1 });
      return found && { content: found.content, revision: found.revision };
    },
    async set(key, { tenantId, clientId, sid, sub, content, expiresAt }, revision) {
      const owner = { id_hash: key, tenant_id: tenantId, client_id: clientId };
      const changed = { sid, sub, content, updated_at: now(), expires_at: expiresAt };
      if (revision === 0) return (await rows()).insert([{ ...owner, ...changed, revision: 1, created_at: changed.updated_at }]);
      const where = { ...owner, revision, expires_at: { gt: changed.updated_at } };
      return (await (await rows()).update(where, { set: changed, add: { revision: 1 } })) === 1;
    },
    async delete(key) {
      await (await rows()).delete({ id_hash: key });
    },
    async deleteWhere({ tenantId, clientId, sid, sub }) {
      const session = sid === undefined ? { sub } : { sid };
      await (await rows()).delete({ tenant_id: tenantId, client_id: clientId, ...session });
    },
  };
}

function isAdapter(data: DataSource): data is DataAdapter {
  return typeof data === "object" && "collections" in data;
}

function collectionOf({ collections }: DataAdapter): Collection<StoredRow<"app_sessions">> {
  const { app_sessions: rows } = collections;
  if (rows === undefined)
    throw new TypeError(
      "appSessions: the data adapter omits the collection 'app_sessions': add it, or pass another 'store' to createSessions",
    );
  return rows;
}
