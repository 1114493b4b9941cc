import * as z from "zod";

/** The progress of the offer to add a passkey. */
export const addPasskeyProgress = {
  /** Whether the browser reported that it can create a passkey on the device. */
  can_create_passkey: z.literal(true).exactOptional(),
  /** Whether the user signed in with a passkey of another device. */
  used_remote_passkey: z.literal(true).exactOptional(),
  /** Whether the user has added a passkey, or does not want to. */
  passkey_offer: z.enum(["accepted", "declined"]).exactOptional(),
};
