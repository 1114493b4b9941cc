import { mailLater } from "../mail/later.ts";
import { newDevice } from "../mail/messages/new-device.ts";
import { canMail, sendMail } from "../mail/send.ts";
import type { SignInPlace } from "./begin-session.ts";
import { rememberAccount } from "./cookies.ts";

/**
 * Has the browser remember whose account signed in on it. Where the tenant wants that (`new_device_notification` of its settings), the owner of an account that signed in elsewhere
 * before is told by mail: once the answer is on its way.
 * @param userId of the primary account.
 * @returns `Set-Cookie` values. They hold fingerprints made with the host's secret: nobody reads an id from them, and nobody makes one up.
 */
export async function noteDevice(place: SignInPlace, userId: string): Promise<readonly string[]> {
  const { tenant, browser, remembered } = place;
  if (!tenant.settings.new_device_notification) return [];
  const account = await tenant.environment.fingerprints.of("device", tenant.id, userId);
  // A session of the account goes back to a sign-in here, from before the setting was on.
  const known = remembered.accounts.includes(account) || browser?.session.user_id === userId;
  if (!known && canMail(tenant)) mailLater(tenant, "new_device", () => tellOwner(place, userId));
  return [rememberAccount(tenant, remembered.accounts, account)];
}

async function tellOwner({ tenant, client }: SignInPlace, userId: string): Promise<void> {
  const { environment, data, requestInfo } = tenant;
  const [user] = await data.users.find({ where: { user_id: userId }, limit: 1 });
  // This login is counted by now: the first one of an account is on no new device.
  if (user === undefined || user.email === "" || user.logins_count < 2) return;
  await sendMail(tenant, newDevice({ at: environment.clock.now(), ip: requestInfo.ip }), { to: user.email, user, client });
}
