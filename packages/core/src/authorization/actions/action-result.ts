import * as z from "zod";
import { metadataSchema } from "../../model/fields.ts";

/**
 * The decisions of the actions about the tokens of one response. This is a schema, because the decisions are stored
 * with an authorization code as JSON.
 */
export const grantActionsResultSchema = z.object({
  /** Claims for the ID token. */
  id_token: metadataSchema,
  /** Claims for the access token. */
  access_token: metadataSchema,
  /** Scopes that are not granted. */
  withheld: z.array(z.string()).readonly(),
});

export type GrantActionsResult = z.infer<typeof grantActionsResultSchema>;

/** The result if there are no actions. */
export const noResult: GrantActionsResult = { id_token: {}, access_token: {}, withheld: [] };

/** Returns the scopes without those that actions withheld. */
export function withoutWithheldScopes(scope: readonly string[], { withheld }: GrantActionsResult = noResult): readonly string[] {
  return withheld.length === 0 ? scope : scope.filter((value) => !withheld.includes(value));
}
