import { maximumSessionLine, type Attempts } from "./attempts.ts";
import { changeCookies, readChunks, type CookieChanges, type CookieKind } from "./cookies.ts";
import type { Provider } from "./provider.ts";
import type { Seal } from "./seal.ts";
import { readSession, type Content } from "./session.ts";
import type { Exchange } from "./session-options.ts";
import { refreshBefore, type SessionStorage } from "./session-storage.ts";
import { SignInError } from "./sign-in-error.ts";

/** The dependencies of {@link createCookieSessions}. */
interface CookieSessionContext {
  readonly kind: CookieKind;
  readonly seal: Seal;
  readonly attempts: Attempts;
  /** Milliseconds since 1970. */
  now(): number;
  provider(): Promise<Provider>;
  /** Logs an error. */
  report(error: SignInError): Promise<void>;
}

/** Creates a {@link SessionStorage} in the cookies of browsers. */
export function createCookieSessions({ kind, seal, attempts, now, provider, report }: CookieSessionContext): SessionStorage {
  const write = async (changes: CookieChanges, header: string | null, content: Content): Promise<void> => {
    const lifetime = Math.floor(content.ends - now() / 1000);
    if (lifetime <= 0) return;
    changes.setChunks(kind, await seal.encrypt(content, lifetime), lifetime);
    attempts.makeRoom(changes, header);
    const [length, own] = [changes.lengthOf(), changes.lengthOf(`${kind.name}.`)];
    if (length <= maximumSessionLine) return;
    changes.revertChunks(kind);
    throw new SignInError(
      "session_too_large",
      `the browser would send ${length} bytes of cookies, ${own} of them for the session, and the maximum is ${maximumSessionLine}: request fewer scopes, set the API's 'token_dialect' to 'access_token' so that its tokens omit permissions, set smaller cookies elsewhere in the app, or pass a 'store' to createSessions`,
    );
  };
  const deleteCookies = (exchange: Exchange): Promise<void> => changeCookies(kind, exchange, (changes) => changes.deleteChunks(kind));

  const refresh = async (exchange: Exchange, content: Content): Promise<Content | undefined> => {
    if (content.refreshToken === undefined || exchange.setCookie === undefined) return undefined;
    const tokens = await (await provider()).refresh(content.refreshToken);
    if (tokens === undefined) {
      await deleteCookies(exchange);
      return undefined;
    }
    const next: Content = {
      ...content,
      accessToken: tokens.accessToken,
      accessEnds: Math.floor(now() / 1000) + tokens.expiresIn,
      refreshToken: tokens.refreshToken ?? content.refreshToken,
    };
    try {
      await changeCookies(kind, exchange, (changes, header) => write(changes, header, next));
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      await report(error);
      await deleteCookies(exchange);
      return undefined;
    }
    return next;
  };

  return {
    async read(header) {
      const opened = await Promise.all(readChunks(kind, header).map((text) => seal.decrypt(text)));
      return opened
        .toSorted((a, b) => (b?.iat ?? 0) - (a?.iat ?? 0))
        .map((content) => readSession(content))
        .filter((content) => content !== undefined)
        .map((content) => ({ content }));
    },
    async createdElsewhere(header) {
      const times = await Promise.all(readChunks(kind, header).map((text) => seal.encryptedElsewhere(text)));
      return times.find((time) => time !== undefined);
    },
    create: (changes, header, { content }) => write(changes, header, content),
    discard: deleteCookies,
    end: deleteCookies,
    async accessToken(exchange, { content }) {
      const left = content.accessEnds - now() / 1000;
      if (left > refreshBefore) return content.accessToken;
      return (await refresh(exchange, content))?.accessToken ?? (left > 0 ? content.accessToken : undefined);
    },
  };
}
