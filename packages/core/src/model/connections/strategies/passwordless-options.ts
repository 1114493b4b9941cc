import * as z from "zod";
import type { Row } from "../../../data/schema.ts";
import { readStored } from "../../settings.ts";
import { flag, totp } from "./kinds.ts";

/** The options of the strategies `email` and `sms` that logins go by. */
export const honouredPasswordlessOptions = { disable_signup: flag, totp };

/** What of the options of a connection that signs people in by codes (strategies `email` and `sms`) is read. */
export const PasswordlessOptions = z.object(honouredPasswordlessOptions).exactPartial();

export type PasswordlessOptions = z.infer<typeof PasswordlessOptions>;

/** Reads the options of such a connection. What no login goes by is left out. */
export function passwordlessOptions(row: Row<"connections">): PasswordlessOptions {
  return readStored(PasswordlessOptions, row.options);
}
