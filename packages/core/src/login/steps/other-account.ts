import { pendingSignInProgress } from "../pending-sign-in.ts";
import { aimProgress, passedFactorsProgress } from "../progress.ts";
import { action } from "../step.ts";
import { createAccountProgress } from "./create-account/progress.ts";
import { identifierProgress } from "./identifier/progress.ts";
import { newPasswordProgress } from "./new-password/progress.ts";

/** Lets the user sign in with another account. Every step that names the signed-in user has this action. */
export const otherAccount = action({ summary: "Sign in with another account", fields: {} })(() => ({
  leaves: (progress) => [
    identifierProgress,
    createAccountProgress,
    pendingSignInProgress,
    passedFactorsProgress,
    // A visitor who leaves a password reset signs in.
    ...(progress.reset === undefined ? [] : [newPasswordProgress, aimProgress]),
  ],
  change: (rest) => ({ ...rest, proofs: [], chosen: "" }),
}));
