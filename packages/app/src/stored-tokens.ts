import { AccessTokenError } from "./access-token-error.ts";
import { isOfSignIn, targetOf, toHeldToken, heldTokenFor, withToken, type HeldToken } from "./access-tokens.ts";
import type { Provider, Tokens } from "./provider.ts";
import type { Content, TokenTarget } from "./session.ts";
import type { AccessTokenOptions } from "./session-options.ts";
import { refreshBefore } from "./session-storage.ts";
import type { SessionRecord, SessionRecords } from "./session-records.ts";

/** Maximum number of writes of one refresh. Each lost race means that another request changed the session. */
const maximumWrites = 30;

/** Maximum number of times that one call reads the refresh token. It has changed if another process rotated it. */
const maximumReads = 4;

/** The dependencies of {@link createStoredTokens}. */
export interface StoredTokenContext {
  readonly records: SessionRecords;
  /** The API of the sign-in. */
  readonly audience: string | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  provider(): Promise<Provider>;
  /** Whether the user of a session is still a member of an organization. */
  isMember(content: Content, organizationId: string): Promise<boolean>;
}

/** A request for an access token. */
interface TokenRequest {
  readonly target: TokenTarget;
  /** A token for the target that must not be returned, although it has not expired. */
  readonly rejected: string | undefined;
}

/**
 * Creates a function that returns the access tokens of sessions in a store, and refreshes them.
 *
 * Parallel refreshes of one session need no lock. The service answers a replay of a refresh token with the same
 * successor for 30 seconds, so all of them receive valid tokens. Each write replaces the revision that was read. The
 * loser of a race reads the session again, and adds its token to it or takes the winner's. A write never creates a
 * session, so a session that was deleted meanwhile stays deleted.
 */
export function createStoredTokens({ records, audience, now, provider, isMember }: StoredTokenContext) {
  const running = new Map<string, Promise<HeldToken | undefined>>();
  const secondsLeft = ({ accessEnds }: HeldToken): number => accessEnds - now() / 1000;
  const isUsable = (token: HeldToken | undefined, { rejected }: TokenRequest): token is HeldToken =>
    token !== undefined && token.accessToken !== rejected && secondsLeft(token) > refreshBefore;

  /** Stores the tokens of a refresh. Returns undefined if the session was deleted meanwhile. */
  const save = async (read: SessionRecord, presented: string, tokens: Tokens, request: TokenRequest): Promise<HeldToken | undefined> => {
    const { target } = request;
    const refreshed = toHeldToken(tokens, Math.floor(now() / 1000));
    let record: SessionRecord | undefined = read;
    for (let write = 0; write < maximumWrites && record !== undefined; write++) {
      const { id, content, revision } = record;
      // Another request may have presented the same refresh token, or its successor.
      const refreshToken = content.refreshToken === presented ? (tokens.refreshToken ?? presented) : content.refreshToken;
      const known = heldTokenFor(content, target);
      const isKnown = isUsable(known, request);
      if (isKnown && refreshToken === content.refreshToken) return known;
      const next = isKnown ? content : withToken(content, target, refreshed);
      if (await records.write(id, { ...next, ...(refreshToken !== undefined && { refreshToken }) }, revision))
        return isKnown ? known : refreshed;
      record = await records.find(id);
    }
    if (record === undefined) return undefined;
    throw lostRaces();
  };

  /** Returns undefined if the session has ended. */
  const refresh = async (id: string, request: TokenRequest): Promise<HeldToken | undefined> => {
    const { target } = request;
    let presented: string | undefined;
    for (let attempt = 0; attempt < maximumReads; attempt++) {
      const record = await records.find(id);
      if (record === undefined) return undefined;
      const known = heldTokenFor(record.content, target);
      if (isUsable(known, request)) return known;
      const { refreshToken } = record.content;
      if (refreshToken === undefined) return withoutRefresh(known, target);
      if (refreshToken === presented) {
        // The refresh token is invalid, and no other process has replaced it.
        await records.delete(id);
        return undefined;
      }
      presented = refreshToken;
      const tokens = await (await provider()).refresh(refreshToken, target);
      if (tokens !== undefined) return save(record, refreshToken, tokens, request);
    }
    throw lostRaces();
  };

  const withoutRefresh = (known: HeldToken | undefined, target: TokenTarget): HeldToken | undefined => {
    if (isOfSignIn(target)) return known !== undefined && secondsLeft(known) > 0 ? known : undefined;
    throw new AccessTokenError(
      "refresh_token_missing",
      "the session has no refresh token: request the scope 'offline_access', and set 'allow_offline_access' of the API",
    );
  };

  /** Runs one refresh at a time for a session and a target in this process. */
  const refreshOnce = (id: string, request: TokenRequest): Promise<HeldToken | undefined> => {
    const { audience: api, organization } = request.target;
    const key = JSON.stringify([id, api, organization, request.rejected]);
    let result = running.get(key);
    if (result === undefined) {
      result = refresh(id, request).finally(() => running.delete(key));
      running.set(key, result);
    }
    return result;
  };

  return async (id: string, content: Content, options: AccessTokenOptions): Promise<string | undefined> => {
    const target = targetOf(content, options, audience);
    const known = heldTokenFor(content, target);
    const { organizationId } = isOfSignIn(target) ? {} : (known ?? {});
    const isAllowed = organizationId === undefined || (await isMember(content, organizationId));
    const request: TokenRequest = { target, rejected: isAllowed ? undefined : known?.accessToken };
    const token = isUsable(known, request) ? known : await refreshOnce(id, request);
    return token?.accessToken;
  };
}

function lostRaces(): Error {
  return new Error("getAccessToken: concurrent requests keep changing the session; try again");
}
