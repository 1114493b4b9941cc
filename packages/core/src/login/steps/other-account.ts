import { action } from "../step.ts";

/** Signs in as somebody else: an action of every step that names who is signed in. */
export const otherAccount = action({ summary: "Sign in as somebody else", fields: {} })(() => ({
  change: ({ identifier: _, has_account: __, ...rest }) => ({ ...rest, proofs: [], chosen: "" }),
}));
