import { action } from "../step.ts";

/** Signs in after all: an action of every step on the way to an account or to a new password. */
export const signInInstead = action({ summary: "Sign in with an account that there is", fields: {} })(() => ({
  change: ({ code: _, reset: __, ...rest }) => ({ ...rest, aim: "sign-in" }),
}));
