import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { isClaimedBy } from "./claimed-account.ts";
import { proveEmailOf } from "./prove-email.ts";
import { provePhone } from "./prove-phone.ts";

/**
 * Stores that a user, who entered a code that was sent to an unproven address of an account, has passed a factor of the
 * account as well. The user is then known to be its owner, and nothing else changes.
 * @returns the current account; the given one if it changed since it was read.
 */
export async function proveClaimedAddress(
  context: DataContext,
  account: Row<"users">,
  channels: readonly string[] = [],
): Promise<Row<"users">> {
  if (!isClaimedBy(channels, account)) return account;
  const isPhone = channels.some((address) => address === account.phone_number);
  const proven = await (isPhone ? provePhone(context, account, true) : proveEmailOf(context, account, { byCreator: true }));
  return proven === undefined || proven === "factor-required" ? account : proven;
}
