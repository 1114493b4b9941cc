import type { RandomValues } from "../adapters/random.ts";
import type { Sealer } from "./sealer.ts";
import { keyIdOf } from "./sealer.ts";

/** The part of a context that encryption needs. */
export interface SealingContext {
  readonly secrets: { readonly sealer: Sealer };
  readonly random: RandomValues;
}

/**
 * The `seal` of a row that contains these encrypted texts: the id of their key and a random part. The condition of a
 * guarded write contains it to identify the encrypted texts that the write replaces. If several keys were used, it
 * names one that is no longer the first of the ring, so that `sweep` encrypts the row again.
 */
export function sealOf(context: SealingContext, texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const older = texts.map(keyIdOf).find((id) => id !== context.secrets.sealer.keyId);
  return `${older ?? context.secrets.sealer.keyId}.${context.random.alphanumeric(20)}`;
}

/** The id of the key in a row's `seal`. */
export function keyOfSeal(seal: string): string {
  return seal.slice(0, seal.indexOf("."));
}

/** The prefix of every `seal` with a key. */
export function sealsBy(keyId: string): string {
  return `${keyId}.`;
}

/** Sorts after every `seal` with a key and before those of any other key: `/` follows the dot. */
export function afterSealsBy(keyId: string): string {
  return `${keyId}/`;
}
