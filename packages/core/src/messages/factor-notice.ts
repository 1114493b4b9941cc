import { confirmedFactors, findFactors, type Factor } from "../identity/factors/factors.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { FactorChange } from "./mails/factor-changed.ts";
import { canMail, canText } from "./send.ts";

/** A factor that was added, removed or changed. */
export type ChangedFactor = Pick<Factor, "type"> & Partial<Pick<Factor, "id" | "address">>;

/** The destination of the message about a change of factors. */
export interface NoticeRecipient {
  readonly channel: "email" | "sms";
  readonly to: string;
}

/** A change of factors that the message reports. */
export interface ReportedChange {
  readonly change: FactorChange;
  readonly types: readonly FactorType[];
  /** The factors that changed. Default: the phone that was confirmed last, if a phone was added. */
  readonly factors?: readonly ChangedFactor[];
}

/**
 * Returns the destination of the message about a change of a user's factors: the account's email address, otherwise its
 * verified phone number, otherwise a phone that was enrolled before the change. Undefined if there is no destination. Sends
 * no query for a user with an email address.
 * @param user the account before the change.
 */
export async function noticeRecipient(
  tenant: RequestTenant,
  user: Row<"users">,
  reported: ReportedChange,
): Promise<NoticeRecipient | undefined> {
  if (canMail(tenant) && user.email !== "") return { channel: "email", to: user.email };
  if (!canText(tenant)) return undefined;
  const { phone_number: number, phone_verified: isVerified } = user;
  if (number !== null && number !== "" && isVerified) return { channel: "sms", to: number };
  const { change, factors = [] } = reported;
  const removed = change === "removed" ? factors.find(({ type }) => type === "phone") : undefined;
  const to = removed?.address ?? (await earlierPhones(tenant, user, reported))[0]?.address ?? undefined;
  return to === undefined ? undefined : { channel: "sms", to };
}

/** Returns the user's enrolled phones that existed before the change, oldest first. */
async function earlierPhones(
  tenant: RequestTenant,
  user: Row<"users">,
  { change, types, factors = [] }: ReportedChange,
): Promise<readonly Factor[]> {
  const phones = confirmedFactors(await findFactors(tenant.data, user)).filter(({ type }) => type === "phone");
  if (change !== "added" || !types.includes("phone")) return phones;
  const newest = phones.toSorted((a, b) => (b.confirmed_at ?? 0) - (a.confirmed_at ?? 0))[0];
  const added = factors.length > 0 ? factors : newest === undefined ? [] : [newest];
  return phones.filter(({ id }) => !added.some((one) => one.id === id));
}
