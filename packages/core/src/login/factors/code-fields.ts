import * as z from "zod";
import { messageTypeSchema } from "../../model/factors/multifactor.ts";
import { lockedUntilSchema } from "./locked-factor.ts";

/** The fields of a screen that say how a factor's code is delivered, and until when it can be entered. */
export const factorCodeFields = {
  resendIn: z.int().exactOptional().meta({ description: "Seconds until the client should offer another code" }),
  validFor: z.int().exactOptional().meta({ description: "Seconds for which a code is valid after it was sent" }),
  channel: messageTypeSchema
    .exactOptional()
    .meta({ description: "How codes are sent to the phone. Omitted if the tenant offers no voice calls" }),
  otherChannel: messageTypeSchema.exactOptional().meta({ description: "The channel that the user can switch to" }),
  lockedUntil: lockedUntilSchema,
};

/** The field of a form with a factor's code. */
export const enteredCodeSchema = z
  .string()
  .max(100)
  .exactOptional()
  .meta({ description: "The code as the user typed it. Digits of every script are accepted; spaces and dashes are ignored" });
