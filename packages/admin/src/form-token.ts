import type { Session } from "@postern/app";
import { base64url } from "jose";

/**
 * Creates and checks the tokens of forms. A token is a keyed hash of the session, so another site, which cannot read a
 * page of the console, cannot send one, and a token of another session is rejected.
 */
export interface FormTokens {
  create(session: Session): Promise<string>;
  isValid(session: Session, token: string | null): Promise<boolean>;
}

/** @param secrets the first one creates tokens, and all of them verify. */
export function createFormTokens(secrets: readonly string[]): FormTokens {
  const encoder = new TextEncoder();
  const keys = secrets.map((secret) =>
    crypto.subtle.importKey("raw", encoder.encode(`postern console form ${secret}`), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
      "verify",
    ]),
  );
  const subject = ({ sessionId, user }: Session): Uint8Array<ArrayBuffer> => encoder.encode(JSON.stringify([sessionId, user.sub]));
  return {
    async create(session) {
      const [first] = keys;
      if (first === undefined) throw new TypeError("createAdmin: 'secret' is empty");
      return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", await first, subject(session))));
    },
    async isValid(session, token) {
      const signature = decode(token ?? "");
      if (signature === undefined) return false;
      const results = await Promise.all(keys.map(async (key) => crypto.subtle.verify("HMAC", await key, signature, subject(session))));
      return results.includes(true);
    },
  };
}

/** @returns undefined if the text is not base64url. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64url.decode(text));
  } catch {
    return undefined;
  }
}
