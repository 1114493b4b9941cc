import * as z from "zod";
import type { Interaction } from "../interaction.ts";

/** The `again` field of a screen that authenticates the visitor. */
export const ReauthenticationField = z.boolean().exactOptional().meta({ description: "The user is signed in but must authenticate again" });

/**
 * Returns `again` if a signed-in user must authenticate again: the client requires it, and the user did not choose
 * another account.
 */
export function reauthentication({ browser, request, progress }: Interaction): { readonly again?: true } {
  const fresh = request.prompt.includes("login") || request.max_age !== undefined;
  return fresh && browser !== undefined && progress.chosen !== "" ? { again: true } : {};
}
