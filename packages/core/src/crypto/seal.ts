import type { RandomValues } from "../adapters/random.ts";
import type { Sealer } from "./sealer.ts";
import { keyIdOf } from "./sealer.ts";

/** The part of a context that encryption needs. */
export interface SealingContext {
  readonly secrets: { readonly sealer: Sealer };
  readonly random: RandomValues;
}

/**
 * Returns the `seal` for a row that contains these encrypted texts: the id of the key that encrypted them, and a random
 * part. A conditional update compares the `seal`, so that it replaces only the encrypted texts that were read. If
 * several keys encrypted the texts, the `seal` names one that is no longer the first of the ring, so that `sweep`
 * re-encrypts the row.
 */
export function sealOf(context: SealingContext, texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const older = texts.map(keyIdOf).find((id) => id !== context.secrets.sealer.keyId);
  return `${older ?? context.secrets.sealer.keyId}.${context.random.alphanumeric(20)}`;
}

/** Returns the id of the key that a row's `seal` names. */
export function keyOfSeal(seal: string): string {
  return seal.slice(0, seal.indexOf("."));
}

/** Returns the prefix of every `seal` that names a key. */
export function sealsBy(keyId: string): string {
  return `${keyId}.`;
}

/**
 * Returns a text that sorts after every `seal` that names a key, and before the seals of any other key: `/` follows the
 * dot.
 */
export function afterSealsBy(keyId: string): string {
  return `${keyId}/`;
}
