import * as z from "zod";
import { Metadata } from "../../model/fields.ts";

/** What actions decided about the tokens of one response. A schema, because it is stored with a code as JSON. */
export const ActionResult = z.object({
  /** Claims for the ID token. */
  id_token: Metadata,
  /** Claims for the access token. */
  access_token: Metadata,
  /** Scopes that are not granted. */
  withheld: z.array(z.string()).readonly(),
});

export type ActionResult = z.infer<typeof ActionResult>;

/** The result if there are no actions. */
export const noResult: ActionResult = { id_token: {}, access_token: {}, withheld: [] };

/** Returns the scopes without those that actions withheld. */
export function withoutWithheldScopes(scope: readonly string[], { withheld }: ActionResult = noResult): readonly string[] {
  return withheld.length === 0 ? scope : scope.filter((value) => !withheld.includes(value));
}
