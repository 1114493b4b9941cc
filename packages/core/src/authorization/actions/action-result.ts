import * as z from "zod";
import { Metadata } from "../../model/fields.ts";

/** What actions decided about the tokens of one answer. It is kept with a code as JSON, so it is a schema. */
export const ActionResult = z.object({
  /** Claims for the ID token. */
  id_token: Metadata,
  /** Claims for the access token. */
  access_token: Metadata,
  /** Scopes that are not granted after all. */
  withheld: z.array(z.string()).readonly(),
});

export type ActionResult = z.infer<typeof ActionResult>;

/** Where no action has a word. */
export const noResult: ActionResult = { id_token: {}, access_token: {}, withheld: [] };

/** The scopes that are left of those that were to be granted. */
export function leftOf(scope: readonly string[], { withheld }: ActionResult = noResult): readonly string[] {
  return withheld.length === 0 ? scope : scope.filter((value) => !withheld.includes(value));
}
