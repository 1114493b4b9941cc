import * as z from "zod";
import { Metadata } from "../../fields.ts";
import { storedOnlyFields } from "../../settings.ts";
import { flag, text } from "./kinds.ts";
import type { Lending } from "./lending.ts";
import { supportedPasswordlessOptions } from "./passwordless-options.ts";

const storedOnlyOptions = storedOnlyFields({
  authParams: z.union([text(1, 1024), Metadata]),
  brute_force_protection: flag,
  name: text(3, 128),
});

const mail = z
  .strictObject({ body: text(1, 20_480), from: text(1, 1024), subject: text(1, 1024), syntax: z.literal("liquid") })
  .exactPartial();

/** Codes and links by e-mail. Takes no unknown option, so that a typing error is found. */
export const email: z.ZodType = z.strictObject({ ...supportedPasswordlessOptions, email: mail, ...storedOnlyOptions }).exactPartial();

/** What of its options falls back. What a mail says, and who it is from, falls back as a template does. */
export const emailLending: Lending = {
  preferences: ["totp"],
  own: ["disable_signup", "brute_force_protection", "authParams", "email", "name"],
};
