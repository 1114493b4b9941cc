import * as z from "zod";
import type { Row } from "../../../store/schema.ts";
import { metadataSchema } from "../../fields.ts";
import { readStored, storedOnlyFields } from "../../settings.ts";
import { defaultCodeLength, defaultCodeLifetime, shortestCode } from "./code-strength.ts";
import { flagKind, profileUpdateKind, storedTotp, textKind, totp } from "./kinds.ts";

/** The supported options of the strategies `email` and `sms`. */
export const supportedPasswordlessOptions = { disable_signup: flagKind, totp };

/** The stored-only options of the strategies `email` and `sms`. */
export const storedOnlyPasswordlessOptions = storedOnlyFields({
  authParams: z.union([textKind(1, 1024), metadataSchema]),
  brute_force_protection: flagKind,
  non_persistent_attrs: z.array(z.string()),
  set_user_root_attributes: profileUpdateKind,
  upstream_params: metadataSchema,
});

/** The options of a passwordless connection that Postern reads (strategies `email` and `sms`). */
const passwordlessOptionsSchema = z.object({ ...supportedPasswordlessOptions, totp: storedTotp }).exactPartial();

type PasswordlessOptions = z.infer<typeof passwordlessOptionsSchema>;

/** Reads the options of a passwordless connection. Options without an effect are omitted. */
export function passwordlessOptions(row: Row<"connections">): PasswordlessOptions {
  return readStored(passwordlessOptionsSchema, row.options);
}

/** The format of the codes that a connection sends. */
interface CodeFormat {
  /** The number of digits. */
  readonly length: number;
  /** Seconds until a code expires. */
  readonly lifetime: number;
}

/**
 * Returns the format of the codes that a connection sends. If the stored length is below the current minimum ({@link
 * shortestCode}), the minimum is used.
 */
export function codeFormat(row: Row<"connections">): CodeFormat {
  const { length = defaultCodeLength, time_step: lifetime = defaultCodeLifetime } = passwordlessOptions(row).totp ?? {};
  return { length: Math.max(length, shortestCode(lifetime)), lifetime };
}
