import { maximumSessionLine, type Attempts } from "./attempts.ts";
import { readChunks, type CookieChanges, type CookieKind } from "./cookies.ts";
import type { Seal } from "./seal.ts";
import { readSession, type Content } from "./session.ts";
import { SignInError } from "./sign-in-error.ts";

/** The sessions in the cookies of browsers. */
export interface SessionCookies {
  /**
   * Returns the sessions that the browser sends, the latest first. There is more than one if the app had another path
   * before: the response cannot delete cookies of other paths.
   */
  read(header: string | null): Promise<readonly Content[]>;
  /**
   * Returns when a process with another secret created the session, in seconds since 1970. Returns undefined if there is
   * no such session.
   */
  createdElsewhere(header: string | null): Promise<number | undefined>;
  /**
   * Adds the cookies of a session. If the `Cookie` header becomes too long, deletes sign-in attempts.
   * @throws {SignInError} `session_too_large` if it is still too long. Then the cookies of the session do not change.
   */
  write(changes: CookieChanges, header: string | null, content: Content): Promise<void>;
}

/** @param now milliseconds since 1970. */
export function createSessionCookies(kind: CookieKind, seal: Seal, attempts: Attempts, now: () => number): SessionCookies {
  return {
    async read(header) {
      const opened = await Promise.all(readChunks(kind, header).map((text) => seal.decrypt(text)));
      return opened
        .toSorted((a, b) => (b?.iat ?? 0) - (a?.iat ?? 0))
        .map((content) => readSession(content))
        .filter((content) => content !== undefined);
    },
    async createdElsewhere(header) {
      const times = await Promise.all(readChunks(kind, header).map((text) => seal.encryptedElsewhere(text)));
      return times.find((time) => time !== undefined);
    },
    async write(changes, header, content) {
      const lifetime = Math.floor(content.ends - now() / 1000);
      if (lifetime <= 0) return;
      changes.setChunks(kind, await seal.encrypt(content, lifetime), lifetime);
      attempts.makeRoom(changes, header);
      const [length, own] = [changes.lengthOf(), changes.lengthOf(`${kind.name}.`)];
      if (length <= maximumSessionLine) return;
      changes.revertChunks(kind);
      throw new SignInError(
        "session_too_large",
        `the browser would send ${length} bytes of cookies, ${own} of them for the session, and the maximum is ${maximumSessionLine}: request fewer scopes, set the API's 'token_dialect' to 'access_token' so that its tokens omit permissions, or set smaller cookies elsewhere in the app`,
      );
    },
  };
}
