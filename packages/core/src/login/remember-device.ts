import { mailLater } from "../messages/mail-later.ts";
import { newDevice } from "../messages/mails/new-device.ts";
import { canMail, sendMail } from "../messages/send.ts";
import { markOf } from "../identity/login/known-browser.ts";
import type { SignInContext } from "./start-session.ts";
import { rememberAccount } from "./cookies.ts";

/**
 * Stores in the browser that an account signed in on it, which gives messages to the user's address a separate budget
 * there. If the tenant's setting `new_device_notification` is on, the owner of an account that signed in elsewhere
 * before is notified by mail, after the response was sent.
 * @param userId of the primary account.
 * @param isVerified whether the address of the account that signed in is verified, and not only asserted by an identity
 * provider that is not authoritative for it.
 * @returns `Set-Cookie` values. They hold fingerprints made with the host's secret, so ids cannot be read from them or
 * forged.
 */
export async function rememberDevice(place: SignInContext, userId: string, isVerified: boolean): Promise<readonly string[]> {
  const { tenant, browser, remembered } = place;
  const [unverified, verified] = await Promise.all([
    markOf(tenant, { userId, isVerified: false }),
    markOf(tenant, { userId, isVerified: true }),
  ]);
  const former = [unverified, verified].filter((mark) => remembered.accounts.includes(mark));
  // A session of the account proves an earlier sign-in here, from before browsers stored accounts.
  const isKnown = former.length > 0 || browser?.session.user_id === userId;
  if (!isKnown && tenant.settings.new_device_notification && canMail(tenant))
    mailLater(tenant, "new_device", () => tellOwner(place, userId));
  const mark = isVerified || former.includes(verified) ? verified : unverified;
  return [rememberAccount(tenant, remembered.accounts, mark, former)];
}

async function tellOwner({ tenant, client }: SignInContext, userId: string): Promise<void> {
  const { data, requestInfo } = tenant;
  const [user] = await data.users.find({ where: { user_id: userId }, limit: 1 });
  // This login is counted already. The first login of an account is not on a new device.
  if (user === undefined || user.email === "" || user.logins_count < 2) return;
  await sendMail(tenant, newDevice({ at: tenant.now(), ip: requestInfo.ip }), { to: user.email, user, client });
}
