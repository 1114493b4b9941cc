import * as z from "zod";
import type { Row } from "../../../store/schema.ts";
import { readStored } from "../../settings.ts";
import { defaultCodeLength, defaultCodeLifetime, shortestCode } from "./code-strength.ts";
import { flagKind, storedTotp, totp } from "./kinds.ts";

/** The supported options of the strategies `email` and `sms`. */
export const supportedPasswordlessOptions = { disable_signup: flagKind, totp };

/** The options that Postern reads of a passwordless connection (strategies `email` and `sms`). */
export const PasswordlessOptions = z.object({ ...supportedPasswordlessOptions, totp: storedTotp }).exactPartial();

export type PasswordlessOptions = z.infer<typeof PasswordlessOptions>;

/** Reads the options of a passwordless connection. Options without an effect are left out. */
export function passwordlessOptions(row: Row<"connections">): PasswordlessOptions {
  return readStored(PasswordlessOptions, row.options);
}

/** The codes that a connection sends. */
export interface CodeFormat {
  /** Digits. */
  readonly length: number;
  /** Seconds until a code expires. */
  readonly lifetime: number;
}

/** Reads which codes a connection sends. A stored length that {@link shortestCode} no longer accepts is raised. */
export function codeFormat(row: Row<"connections">): CodeFormat {
  const { length = defaultCodeLength, time_step: lifetime = defaultCodeLifetime } = passwordlessOptions(row).totp ?? {};
  return { length: Math.max(length, shortestCode(lifetime)), lifetime };
}
