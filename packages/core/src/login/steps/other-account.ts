import { action } from "../step.ts";

/** Lets the user sign in with another account. Every step that names the signed-in user has this action. */
export const otherAccount = action({ summary: "Sign in with another account", fields: {} })(() => ({
  change: ({ identifier: _, has_account: __, pending: ___, factors: ____, reset, aim, ...rest }) => ({
    ...rest,
    // A visitor who leaves a password reset signs in.
    ...(reset === undefined && aim !== undefined && { aim }),
    proofs: [],
    chosen: "",
  }),
}));
