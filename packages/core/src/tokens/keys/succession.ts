import { isPublished, type KeyType, type StoredSigningKey } from "./signing-keys.ts";

/** The status of a key among the keys of its type at one moment. */
interface KeyStatus {
  /** The key signs. */
  readonly current: boolean;
  /** The key is published and will sign later. */
  readonly next: boolean;
  /** The key signed before and is still published, so that its signatures stay valid. */
  readonly previous: boolean;
  /** When the key started to sign, in milliseconds since 1970. Undefined for a key that never signed. */
  readonly currentSince: number | undefined;
  /** When the key stops or stopped signing, because another key replaces it or because it was revoked. */
  readonly currentUntil: number | undefined;
}

/**
 * Sorts keys in the order in which they sign. The order is the same in every process, even for keys with the same
 * timestamps.
 */
export function inSuccession(keys: readonly StoredSigningKey[]): readonly StoredSigningKey[] {
  return keys.toSorted(
    (a, b) => a.activates_at - b.activates_at || a.created_at - b.created_at || (a.kid < b.kid ? -1 : Number(a.kid > b.kid)),
  );
}

/**
 * Returns the keys of one owner that are not revoked, in the order in which they sign: each key replaces the one before
 * it.
 */
export function successionOf(keys: readonly StoredSigningKey[], type: KeyType): readonly StoredSigningKey[] {
  return inSuccession(keys.filter((key) => key.type === type && key.revoked_at === null));
}

/**
 * Returns the key that signs now: of the keys that are neither revoked nor retired, the one that was activated last.
 */
export function currentKey(keys: readonly StoredSigningKey[], type: KeyType, now: number): StoredSigningKey | undefined {
  return inSuccession(keys.filter((key) => key.type === type && isPublished(key, now) && key.activates_at <= now)).at(-1);
}

/**
 * Returns the key that signs tokens with an algorithm now. Undefined if there is no such key, or if the key has a
 * retirement date and no later key has the same algorithm: tokens could then be valid for longer than their key is
 * published.
 */
export function tokenKey(keys: readonly StoredSigningKey[], alg: string, now: number): StoredSigningKey | undefined {
  const alike = keys.filter((key) => key.alg === alg);
  const current = currentKey(alike, "jwt_signing", now);
  const followed = alike.some((key) => key.type === "jwt_signing" && key.activates_at > now && isPublished(key, now));
  return current?.retires_at === null || followed ? current : undefined;
}

/**
 * Returns the status of a key.
 * @param bucket the keys of the same owner and type.
 * @param signs the `kid` of the key that signs for the tenant of the request.
 */
export function keyStatus(key: StoredSigningKey, bucket: readonly StoredSigningKey[], signs: string | undefined, now: number): KeyStatus {
  const published = isPublished(key, now);
  const current = key.kid === signs;
  const line = inSuccession(bucket.filter((other) => other.revoked_at === null || other.kid === key.kid));
  const successor = line[line.findIndex(({ kid }) => kid === key.kid) + 1];
  const ends = [key.revoked_at, successor?.activates_at].filter((end) => typeof end === "number");
  const until = ends.length === 0 ? undefined : Math.min(...ends);
  const signed = key.activates_at <= now && (until === undefined || until >= key.activates_at);
  return {
    current,
    next: published && key.activates_at > now,
    previous: published && key.activates_at <= now && !current,
    currentSince: signed ? key.activates_at : undefined,
    currentUntil: signed ? until : undefined,
  };
}
