import { parseCookies, type CookieChanges, type CookieKind } from "./cookies.ts";
import type { Attempt } from "./provider.ts";
import type { Seal } from "./seal.ts";
import { readSignInRequest, type SignInRequest } from "./sign-in-request.ts";

/** Lifetime of a sign-in attempt, in seconds. */
const attemptLifetime = 3600;

/** Maximum number of concurrent sign-in attempts in one browser. Older attempts are deleted. */
const maximumAttempts = 5;

/**
 * Older attempts are deleted until the `Cookie` header is shorter. Bytes: proxies such as nginx reject a header line
 * of 8 KiB.
 */
const comfortableLine = 8000;

/** Maximum bytes of the `Cookie` header: Node rejects requests whose URL and headers together have 16 KiB. */
const maximumLine = 14_000;

/** Maximum bytes of the `Cookie` header after a session was written: the next sign-in adds an attempt. */
export const maximumSessionLine = maximumLine - 1000;

/** A sign-in attempt, as it is encrypted in the browser's cookie. */
export interface SealedAttempt extends Attempt {
  /** A path that `returnPath` returned. */
  readonly returnTo: string;
  readonly request: SignInRequest;
  /** Seconds since 1970. */
  readonly begunAt: number;
  /** Whether the attempt replaces one whose code was already used. */
  readonly isRepeated: boolean;
}

/** The sign-in attempts of browsers, each in a cookie that the attempt's state names. */
export interface Attempts {
  /**
   * Adds the cookie of an attempt. If the `Cookie` header becomes too long, deletes older attempts, then the session.
   */
  add(changes: CookieChanges, header: string | null, attempt: SealedAttempt): Promise<void>;
  /**
   * Returns the attempt with this state. Returns `foreign` if a process with another secret encrypted it; undefined if
   * it is missing or has expired.
   */
  find(header: string | null, state: string): Promise<SealedAttempt | "foreign" | undefined>;
  /** Deletes the cookie of an attempt. */
  delete(changes: CookieChanges, state: string): void;
  /** Deletes attempts, the oldest first, until the `Cookie` header is short. */
  makeRoom(changes: CookieChanges, header: string | null): void;
}

/**
 * @param session the cookies of the session. The names of attempts begin with their name.
 * @param scope the scopes that every attempt requests. If given, the cookies omit them: browsers reject a cookie with
 * all scopes of the Management API. A response is then compared with the scopes that are configured when it arrives.
 */
export function createAttempts(session: CookieKind, seal: Seal, scope?: string): Attempts {
  const prefix = `${session.name}_in.`;
  const namesIn = (header: string | null): readonly string[] => [...parseCookies(header).keys()].filter((name) => name.startsWith(prefix));
  const makeRoom: Attempts["makeRoom"] = (changes, header) => {
    for (const name of namesIn(header)) if (changes.lengthOf() > comfortableLine) changes.delete(name);
  };

  return {
    makeRoom,
    async add(changes, header, attempt) {
      const known = namesIn(header);
      for (const name of known.slice(0, Math.max(0, known.length - maximumAttempts + 1))) changes.delete(name);
      const { request } = attempt;
      const sealed = scope === undefined ? attempt : { ...attempt, request: { ...request, scope: undefined } };
      changes.set(prefix + attempt.state, await seal.encrypt(sealed, attemptLifetime), attemptLifetime);
      makeRoom(changes, header);
      // The sign-in replaces the session.
      if (changes.lengthOf() > maximumLine) changes.deleteChunks(session);
    },
    async find(header, state) {
      for (const text of parseCookies(header).get(prefix + state) ?? []) {
        const attempt = readAttempt(await seal.decrypt(text), scope);
        if (attempt?.state === state) return attempt;
        if ((await seal.encryptedElsewhere(text)) !== undefined) return "foreign";
      }
      return undefined;
    },
    delete(changes, state) {
      changes.delete(prefix + state);
    },
  };
}

function readAttempt(content: { readonly [name: string]: unknown } | undefined, scope: string | undefined): SealedAttempt | undefined {
  const { state, nonce, verifier, returnTo, begunAt, isRepeated, request: sealed } = content ?? {};
  const request = readSignInRequest(sealed, scope);
  if (typeof state !== "string" || typeof nonce !== "string" || typeof verifier !== "string" || typeof returnTo !== "string")
    return undefined;
  if (request === undefined || typeof begunAt !== "number") return undefined;
  return { state, nonce, verifier, returnTo, begunAt, isRepeated: isRepeated === true, request };
}
