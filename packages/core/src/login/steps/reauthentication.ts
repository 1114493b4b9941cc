import * as z from "zod";
import type { Interaction } from "../interaction.ts";

/** The `again` field of a screen that authenticates the visitor. */
export const reauthenticationFieldSchema = z
  .boolean()
  .exactOptional()
  .meta({ description: "The user is signed in but must authenticate again" });

/**
 * Returns the `again` field, if a signed-in user must authenticate again because the client requires it, or because the session is too
 * old to add a factor. Returns no
 * field if the user chose to sign in with another account.
 */
export function reauthentication({ browser, request, progress, needsRecentSignIn }: Interaction): { readonly again?: true } {
  const fresh = request.prompt.includes("login") || request.max_age !== undefined || needsRecentSignIn === true;
  return fresh && browser !== undefined && progress.chosen !== "" ? { again: true } : {};
}
