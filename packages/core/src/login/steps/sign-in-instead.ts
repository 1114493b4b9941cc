import { action } from "../step.ts";

/** Returns to signing in: an action of every step of sign-up or password reset. */
export const signInInstead = action({ summary: "Sign in with an existing account", fields: {} })(() => ({
  change: ({ code: _, reset: __, ...rest }) => ({ ...rest, aim: "sign-in" }),
}));
