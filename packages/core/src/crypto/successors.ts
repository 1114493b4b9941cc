import { base64url } from "jose";
import { hkdf, sha256 } from "../adapters/digest.ts";
import type { KeyRing } from "../adapters/key-ring.ts";

/**
 * Creates the text of the refresh token that replaces a rotated one. The text is derived from the old token's text, a
 * key of the host application and the id of the new row. A client that presents the old token again within the leeway
 * receives the same text, although the text is not stored. Computing it requires the old text, the id from the database
 * and the host application's key.
 */
export interface Successors {
  /** Returns 48 bytes in base64url, derived with the first key of the ring. @param id the id of the successor's row. */
  textOf(presented: string, id: string): Promise<string>;
  /**
   * Returns the text with this hash, derived with any key of the ring; undefined if its key was removed from the ring.
   */
  find(presented: string, id: string, hash: string): Promise<string | undefined>;
}

/** Creates {@link Successors} from the host application's keys. */
export function createSuccessors(ring: KeyRing): Successors {
  const salts = new Map<string, ReturnType<typeof hkdf>>();

  const derive = async (secret: string, presented: string, id: string): Promise<string> => {
    let salt = salts.get(secret);
    if (salt === undefined) salts.set(secret, (salt = hkdf(secret, "postern", "refresh token successor", 32)));
    return base64url.encode(await hkdf(presented, await salt, id, 48));
  };

  return {
    textOf: (presented, id) => derive(ring[0].secret, presented, id),
    async find(presented, id, hash) {
      for (const { secret } of ring) {
        const text = await derive(secret, presented, id);
        if ((await sha256(text)) === hash) return text;
      }
      return undefined;
    },
  };
}
