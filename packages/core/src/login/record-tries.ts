import type { AuditEvent } from "../domain/audit.ts";
import { mailLater } from "../mail/later.ts";
import { blockedAccount } from "../mail/messages/blocked-account.ts";
import { canMail, sendMail } from "../mail/send.ts";
import { attackProtection } from "../model/tenant/attack-protection.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";

/**
 * Puts on record what came of a try to sign in. Whose account is throttled by it is told by mail, where the tenant wants that (`user_notification` of brute-force protection):
 * once the answer is on its way, since nobody may see in its time that there is such an account.
 */
export async function recordTries(tenant: Tenant, client: Client, events: readonly AuditEvent[]): Promise<void> {
  const named = { client_id: client.record.client_id, name: client.record.name };
  const throttled = events.find(({ type }) => type === "limit_wc")?.user?.user_id ?? "";
  if (throttled !== "" && canMail(tenant) && attackProtection(tenant.record).brute_force_protection.shields.includes("user_notification")) {
    mailLater(tenant, "blocked_account", () => tellOwner(tenant, client, throttled));
  }
  await Promise.all(events.map((event) => tenant.audit({ ...event, client: named })));
}

async function tellOwner(tenant: Tenant, client: Client, userId: string): Promise<void> {
  const { environment, data, requestInfo } = tenant;
  const [user] = await data.users.find({ where: { user_id: userId }, limit: 1 });
  if (user === undefined || user.email === "") return;
  await sendMail(tenant, blockedAccount({ at: environment.clock.now(), ip: requestInfo.ip }), { to: user.email, user, client });
}
