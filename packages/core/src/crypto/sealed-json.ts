import type { SealedPlace } from "../store/sealed.ts";
import type { Json } from "../store/value.ts";
import { sealOf, type SealingContext } from "./seal.ts";

/** Encrypts a value for a row that contains no other encrypted value. Returns the text and the `seal` for the row. */
export async function sealJson(
  context: SealingContext,
  place: SealedPlace,
  value: Json,
): Promise<{ readonly text: string; readonly seal: string }> {
  const text = await context.secrets.sealer.seal(place, JSON.stringify(value));
  return { text, seal: sealOf(context, [text]) };
}

/** Decrypts the result of {@link sealJson}. @throws if no key of the ring decrypts it. */
export async function openJson(context: SealingContext, place: SealedPlace, text: string): Promise<Json> {
  return JSON.parse(await context.secrets.sealer.open(place, text)) as Json;
}
