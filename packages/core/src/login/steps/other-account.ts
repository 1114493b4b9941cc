import { action } from "../step.ts";

/** Signs in with another account: an action of every step that names the signed-in user. */
export const otherAccount = action({ summary: "Sign in with another account", fields: {} })(() => ({
  change: ({ identifier: _, has_account: __, ...rest }) => ({ ...rest, proofs: [], chosen: "" }),
}));
