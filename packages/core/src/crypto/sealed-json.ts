import type { Place } from "../store/sealed.ts";
import type { Json } from "../store/value.ts";
import { sealOf, type SealingContext } from "./seal.ts";

/** Seals a value for a record that holds nothing else sealed: the text, and what the record's `seal` says of it. */
export async function sealJson(
  context: SealingContext,
  place: Place,
  value: Json,
): Promise<{ readonly text: string; readonly seal: string }> {
  const text = await context.secrets.sealer.seal(place, JSON.stringify(value));
  return { text, seal: sealOf(context, [text]) };
}

/** What {@link sealJson} sealed there. @throws where no key of the ring opens it. */
export async function openJson(context: SealingContext, place: Place, text: string): Promise<Json> {
  return JSON.parse(await context.secrets.sealer.open(place, text)) as Json;
}
