import * as z from "zod";
import { storedOnly } from "../../settings.ts";
import { textKind } from "./kinds.ts";
import { storedOnlyPasswordlessOptions, supportedPasswordlessOptions } from "./passwordless-options.ts";
import type { LocalStrategy } from "./strategy.ts";

const mail = z
  .strictObject({ body: textKind(1, 20_480), from: textKind(1, 1024), subject: textKind(1, 1024), syntax: z.literal("liquid") })
  .exactPartial();

/** One-time codes and links by email. Unknown options are rejected, so that typos are detected. */
export const email: LocalStrategy = {
  kind: "passwordless",
  title: "one-time codes by email",
  options: z
    .strictObject({ ...supportedPasswordlessOptions, email: mail, ...storedOnlyPasswordlessOptions, name: storedOnly(textKind(3, 128)) })
    .exactPartial(),
  defaults: { brute_force_protection: true },
  // Each tenant sets the text and the sender of its own emails, so they are not inherited.
  inheritance: {
    preferences: ["totp"],
    neverInherited: ["disable_signup", "email", "name", ...Object.keys(storedOnlyPasswordlessOptions)],
  },
};
