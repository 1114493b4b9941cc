import { base64url } from "jose";
import { hkdf, sha256 } from "../adapters/digest.ts";
import type { KeyRing } from "../adapters/key-ring.ts";

/**
 * Makes the text of the refresh token that follows another. It is derived from the old text and a key of the host, under the id of the new record:
 * whoever presents the old token again within the leeway gets the same text, and nothing of it has to be stored.
 * The old text alone does not lead to it, nor does the database, nor the host's key.
 */
export interface Successors {
  /** 48 bytes in base64url, by the first key of the ring. @param id of the successor's record. */
  textOf(presented: string, id: string): Promise<string>;
  /** The text with this hash, by whichever key of the ring made it; undefined where that key has been taken out since. */
  find(presented: string, id: string, hash: string): Promise<string | undefined>;
}

/** Makes {@link Successors} from the host's keys. */
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
