import { action } from "../step.ts";
import { codeProgress } from "./code/progress.ts";
import { newPasswordProgress } from "./new-password/progress.ts";

/** Returns from sign-up or password reset to sign-in. Every step of these two flows has this action. */
export const signInInstead = action({ summary: "Sign in with an existing account", fields: {} })(() => ({
  leaves: [codeProgress, newPasswordProgress],
  change: (progress) => ({ ...progress, aim: "sign-in" }),
}));
