import type { SealedPlace } from "../store/sealed.ts";
import type { Json, JsonObject } from "../store/value.ts";
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

/**
 * Encrypts the members of an object separately, so that one can be replaced without decrypting the others. A member that
 * is null stays null.
 */
export async function sealMembers(
  { secrets: { sealer } }: SealingContext,
  placeOf: (member: string) => SealedPlace,
  values: JsonObject,
): Promise<JsonObject> {
  const sealed = Object.entries(values).map(async ([member, value]): Promise<[string, string | null]> => [
    member,
    value === null ? null : await sealer.seal(placeOf(member), JSON.stringify(value)),
  ]);
  return Object.fromEntries(await Promise.all(sealed));
}
