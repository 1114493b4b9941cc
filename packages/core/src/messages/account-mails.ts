import type { OwnAccountChange } from "../context.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { createUndoLink, sendNotice, type NoticeDetails } from "./factor-mails.ts";
import { noticeRecipient } from "./factor-notice.ts";
import { mailLater } from "./mail-later.ts";
import { accountChanged } from "./mails/account-changed.ts";

/**
 * Tells a user that they changed their account, at the former email address or else by text
 * message. The message contains a link that protects the account if they did not. It is sent after the response.
 * @param user the account before the change, so that the message goes to the address of before.
 * @returns details for the audit event of the change.
 */
export async function notifyAccountChange(
  tenant: RequestTenant,
  user: Row<"users">,
  { change, client }: OwnAccountChange,
): Promise<NoticeDetails> {
  const recipient = await noticeRecipient(tenant, user, { change: "updated", types: [] });
  if (recipient === undefined) return { notified: false };
  const facts = { at: tenant.now(), ip: tenant.requestInfo.ip };
  mailLater(tenant, `${change}_changed`, async () => {
    const undoLink = await createUndoLink(tenant, user, { change, client });
    await sendNotice(tenant, recipient, accountChanged(change, undoLink, facts), { user, client });
  });
  return {};
}
