import { action } from "../../step.ts";

/** Ends a pending link. Every step that requires a sign-in to an existing account has this action. */
export const signInWithoutLinking = action({ summary: "Sign in another way, without linking", fields: {} })(() => ({
  change: ({ pending_link: _, identifier: __, ...rest }) => rest,
}));
