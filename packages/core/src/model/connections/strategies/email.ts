import * as z from "zod";
import { Metadata } from "../../fields.ts";
import { kept } from "../../settings.ts";
import { flag, text, totp } from "./kinds.ts";

const options = {
  authParams: z.union([text(1, 1024), Metadata]),
  brute_force_protection: flag,
  disable_signup: flag,
  email: z.strictObject({ body: text(1, 20_480), from: text(1, 1024), subject: text(1, 1024), syntax: z.literal("liquid") }).exactPartial(),
  name: text(3, 128),
  totp,
};

/** Codes and links by e-mail. Takes no unknown option, so that a typing error is found. */
export const email: z.ZodType = kept(z.strictObject(options).exactPartial());
