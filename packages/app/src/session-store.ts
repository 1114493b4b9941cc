/** The session that {@link SessionStore.set} stores. */
export interface StoredAppSession {
  /** The tenant whose user signed in. */
  readonly tenantId: string;
  /** The id of the app's client. */
  readonly clientId: string;
  /** The id of the user's session at the tenant. */
  readonly sid: string;
  /** The id of the user. */
  readonly sub: string;
  /**
   * The encrypted session, with its tokens: some kilobytes of ASCII, and up to 100 KB for a session with access tokens
   * for several organizations.
   */
  readonly content: string;
  /** When the session expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The session that {@link SessionStore.get} returns. */
export interface FoundSession {
  /** As it was passed to `set`. */
  readonly content: string;
  /** The number of times that the session was set: 1 after it was created. */
  readonly revision: number;
}

/** Selects the sessions of one app that result from a session at the tenant (`sid`) or belong to a user (`sub`). */
export type SessionSelection = Pick<StoredAppSession, "tenantId" | "clientId"> &
  ({ readonly sid: string; readonly sub?: never } | { readonly sub: string; readonly sid?: never });

/**
 * Stores the sessions of an app on the server, so that the browser's cookie contains only a random id. `appSessions`
 * creates one over Postern's data adapter. Implement the interface to use another database.
 *
 * The key is the SHA-256 hash of the id in base64url (43 characters), and the content is encrypted with the app's
 * secret and the id. So a reader of the store learns no id, token or claim except `sid` and `sub`.
 *
 * Several apps may share a store. Every method rejects if the store is unavailable: then the request fails, and no user
 * is signed out. A call that takes longer than eight seconds counts as failed.
 */
export interface SessionStore {
  /**
   * Returns a session. Never returns a session that has expired, or whose deletion has completed. A call that begins
   * after a `set` has completed, in any process, returns what was set: do not read from a replica that lags behind.
   */
  get(key: string): Promise<FoundSession | undefined>;
  /**
   * Creates or replaces a session, in one atomic step.
   * @param revision 0 to create the session. Otherwise the revision of the session to replace, which `get` returned.
   * The stored revision becomes one more.
   * @returns false if nothing was stored: for 0, because the key exists; otherwise because the session has another
   * revision, has expired or was deleted. Of several calls with one revision, exactly one returns true. A deleted
   * session must never be restored.
   */
  set(key: string, session: StoredAppSession, revision: number): Promise<boolean>;
  /** Deletes a session, if it exists. */
  delete(key: string): Promise<void>;
  /** Deletes the selected sessions. The app calls it with `sid` when a user signs out. */
  deleteWhere(selection: SessionSelection): Promise<void>;
}
