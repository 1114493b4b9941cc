import * as z from "zod";
import type { Interaction } from "../interaction.ts";

/** Of a screen that finds out who somebody is. */
export const Again = z.boolean().exactOptional().meta({ description: "Somebody is signed in, and is asked to prove anew who they are" });

/** Whether somebody who is signed in is asked anew: the client wants a fresh proof, and they did not say that they are somebody else. */
export function again({ browser, request, progress }: Interaction): { readonly again?: true } {
  const fresh = request.prompt.includes("login") || request.max_age !== undefined;
  return fresh && browser !== undefined && progress.chosen !== "" ? { again: true } : {};
}
