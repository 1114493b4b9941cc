import type { SessionStore } from "./session-store.ts";

/** Milliseconds that a call of a store may take. */
const timeout = 8000;

/**
 * Wraps a store so that every call has a timeout: otherwise a store that does not respond would block requests forever.
 */
export function withStoreTimeouts(store: SessionStore): SessionStore {
  return {
    get: (key) => inTime(store.get(key)),
    set: (key, session, revision) => inTime(store.set(key, session, revision)),
    delete: (key) => inTime(store.delete(key)),
    deleteWhere: (selection) => inTime(store.deleteWhere(selection)),
  };
}

function inTime<T>(call: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the session store did not respond within ${timeout} ms`)), timeout);
    call.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
