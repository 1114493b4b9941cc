import * as z from "zod";
import type { ActionResult } from "../../step.ts";

/** The field of an action after which the user may be offered a passkey. */
export const passkeySupportField = {
  passkeys: z.enum(["available", ""]).exactOptional().meta({
    description:
      "`available` if the browser can create a passkey on the device (`PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()`)",
  }),
};

/** Stores in the progress whether the browser can create a passkey. */
export function withPasskeySupport(result: ActionResult, passkeys: "available" | "" | undefined): ActionResult {
  const { change = (same) => same } = result;
  return passkeys === "available" ? { ...result, change: (progress) => ({ ...change(progress), can_create_passkey: true }) } : result;
}
