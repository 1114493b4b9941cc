import { action } from "../../step.ts";
import { identifierProgress } from "../identifier/progress.ts";
import { linkAccountProgress } from "./progress.ts";

/** Ends a pending link. Every step that requires a sign-in to an existing account has this action. */
export const signInWithoutLinking = action({ summary: "Sign in another way, without linking", fields: {} })(() => ({
  leaves: [linkAccountProgress, identifierProgress],
}));
