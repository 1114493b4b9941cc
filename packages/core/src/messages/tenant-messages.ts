import { startAfterResponse, type TenantMessages } from "../context.ts";
import { attackProtectionSettings } from "../model/tenant/attack-protection.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { mailDeletion } from "./deletion-mail.ts";
import { notifyAccountChange } from "./account-mails.ts";
import { notifyFactorChange, sendFactorLockedMail } from "./factor-mails.ts";
import { mailLater } from "./mail-later.ts";
import { blockedAccount } from "./mails/blocked-account.ts";
import { canMail, sendMail } from "./send.ts";
import { findOne } from "../store/find-one.ts";

/** Creates the functions with which rules send messages. */
export function tenantMessages(tenant: RequestTenant): TenantMessages {
  return {
    sendThrottledAccountMail(throttled, client) {
      const { shields } = attackProtectionSettings(tenant.record).brute_force_protection;
      if (!canMail(tenant) || !shields.includes("user_notification")) return;
      mailLater(tenant, "blocked_account", async () => {
        const user = await findOne(tenant.data.users, { user_id: throttled.user_id });
        if (user === undefined || user.email === "") return;
        const facts = { at: tenant.now(), ip: tenant.requestInfo.ip };
        await sendMail(tenant, blockedAccount(facts), { to: user.email, user, client });
      });
    },
    sendFactorLockedMail: (user, client) => sendFactorLockedMail(tenant, user, client),
    notifyFactorChange: (user, change) => notifyFactorChange(tenant, user, change),
    sendDeletionMail: (user, deletion) => startAfterResponse(tenant.requestInfo, () => mailDeletion(tenant, user, deletion)),
    notifyAccountChange: (user, change) => notifyAccountChange(tenant, user, change),
  };
}
