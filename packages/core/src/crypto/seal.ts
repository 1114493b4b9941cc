import type { RandomValues } from "../adapters/random.ts";
import type { Sealer } from "./sealer.ts";
import { keyIdOf } from "./sealer.ts";

/** The part of a rule's context that sealing needs. */
export interface SealingContext {
  readonly secrets: { readonly sealer: Sealer };
  readonly random: RandomValues;
}

/**
 * The `seal` of a record that holds these sealed texts: by which key they are sealed, and a random part, so that a guarded write can name the very sealing
 * that it replaces. Where several keys sealed them it names one that does not seal any more: then `sweep` takes the record in hand.
 */
export function sealOf(context: SealingContext, texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const older = texts.map(keyIdOf).find((id) => id !== context.secrets.sealer.keyId);
  return `${older ?? context.secrets.sealer.keyId}.${context.random.alphanumeric(20)}`;
}

/** The id of the key in a record's `seal`. */
export function keyOfSeal(seal: string): string {
  return seal.slice(0, seal.indexOf("."));
}

/** What every `seal` by a key begins with. */
export function sealsBy(keyId: string): string {
  return `${keyId}.`;
}

/** Comes after every `seal` by a key, and before those of any other: the character after the dot. */
export function afterSealsBy(keyId: string): string {
  return `${keyId}/`;
}
