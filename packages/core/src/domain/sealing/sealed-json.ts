import type { Place } from "../../data/sealed.ts";
import type { Json } from "../../data/value.ts";
import type { Environment } from "../environment.ts";
import { sealOf } from "./seal.ts";

/** Seals a value for a record that holds nothing else sealed: the text, and what the record's `seal` says of it. */
export async function sealJson(
  environment: Pick<Environment, "ids" | "sealer">,
  place: Place,
  value: Json,
): Promise<{ readonly text: string; readonly seal: string }> {
  const text = await environment.sealer.seal(place, JSON.stringify(value));
  return { text, seal: sealOf(environment, [text]) };
}

/** What {@link sealJson} sealed there. @throws where no key of the ring opens it. */
export async function openJson({ sealer }: Pick<Environment, "sealer">, place: Place, text: string): Promise<Json> {
  return JSON.parse(await sealer.open(place, text)) as Json;
}
