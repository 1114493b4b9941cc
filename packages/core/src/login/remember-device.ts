import { mailLater } from "../messages/mail-later.ts";
import { newDevice } from "../messages/mails/new-device.ts";
import { canMail, sendMail } from "../messages/send.ts";
import { markOf } from "../identity/login/known-browser.ts";
import type { SignInContext } from "./start-session.ts";
import { rememberAccount } from "./cookies.ts";
import { findOne } from "../store/find-one.ts";

/**
 * Remembers in a browser cookie that a user signed in with this browser. Messages to that user which are requested with
 * the browser then have a separate budget. If the browser is new to the user and the tenant's setting
 * `new_device_notification` is on, the user is notified by mail after the response, except on the first login.
 * @param userId the id of the primary account.
 * @param isVerified whether the email address or phone number of the authenticated account is verified. An assertion by
 * an identity provider that is not authoritative for the email address is not sufficient.
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
  // A session for the account proves an earlier sign-in with this browser, even if the cookie had no room for the account.
  const isKnown = former.length > 0 || browser?.session.user_id === userId;
  if (!isKnown && tenant.settings.new_device_notification && canMail(tenant))
    mailLater(tenant, "new_device", () => tellOwner(place, userId));
  const mark = isVerified || former.includes(verified) ? verified : unverified;
  return [rememberAccount(tenant, remembered.accounts, mark, former)];
}

async function tellOwner({ tenant, client }: SignInContext, userId: string): Promise<void> {
  const { data, requestInfo } = tenant;
  const user = await findOne(data.users, { user_id: userId });
  // `logins_count` includes this login. The first login to an account causes no notification.
  if (user === undefined || user.email === "" || user.logins_count < 2) return;
  await sendMail(tenant, newDevice({ at: tenant.now(), ip: requestInfo.ip }), { to: user.email, user, client });
}
