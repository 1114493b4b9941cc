import { action } from "../step.ts";

/** Returns from sign-up or password reset to sign-in. Every step of these two flows has this action. */
export const signInInstead = action({ summary: "Sign in with an existing account", fields: {} })(() => ({
  change: ({ code: _, reset: __, ...rest }) => ({ ...rest, aim: "sign-in" }),
}));
