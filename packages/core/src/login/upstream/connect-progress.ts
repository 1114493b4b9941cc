import * as z from "zod";
import { pendingLinkSchema } from "../steps/link-account/progress.ts";

/** The progress of a link that a client began with the My Account API. */
export const connectProgress = {
  connect: z
    .object({
      /** The user of the access token with which the client began. */
      user_id: z.string(),
      /** The hash of the secret that the client received. */
      auth_session_hash: z.string(),
      /** The identity at the provider, after the user signed in there, and the hash of the code for it. */
      result: z.object({ code_hash: z.string(), identity: pendingLinkSchema }).exactOptional(),
    })
    .exactOptional(),
};
