import { createTicket } from "../identity/tickets/ticket.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { undoFactorChangeLink } from "../tenants/ticket-links.ts";
import { mailLater } from "./mail-later.ts";
import { factorChanged, factorLocked, type ChangedFactors, type FactorChange } from "./mails/factor-changed.ts";
import { canMail, sendMail } from "./send.ts";

/** The mails that tell a user about their second factors. They are sent after the response, if mail can be sent. */

/** Tells the user that too many codes of a factor were wrong, so that it is locked for some minutes. */
export function sendFactorLockedMail(tenant: RequestTenant, user: Row<"users">, client: RegisteredClient | undefined): void {
  if (!canMail(tenant) || user.email === "") return;
  const facts = { at: tenant.now(), ip: tenant.requestInfo.ip };
  mailLater(tenant, "factor_locked", () => sendMail(tenant, factorLocked(facts), { to: user.email, user, client }));
}

/** Lifetime in seconds of the link with which a user reports a change of factors. */
const undoLifetime = 7 * 24 * 60 * 60;

/**
 * Tells the user that they added, removed or replaced a factor. The mail contains a link that protects the account if
 * they did not.
 * @param user the account before the change, so that the mail goes to the email address of before.
 */
export function sendFactorChangedMail(
  tenant: RequestTenant,
  user: Row<"users">,
  { change, type, client }: { readonly change: FactorChange; readonly type: FactorType; readonly client?: RegisteredClient | undefined },
): void {
  if (!canMail(tenant) || user.email === "") return;
  const facts = { at: tenant.now(), ip: tenant.requestInfo.ip };
  mailLater(tenant, `factor_${change}`, async () => {
    const clientId = client?.record.client_id;
    const ticket = await createTicket(tenant, {
      purpose: "undo-factor-change",
      user,
      clientId,
      lifetimeSeconds: undoLifetime,
      request: { change },
    });
    const mail = factorChanged({ change, types: [type], undoLink: undoFactorChangeLink(tenant, ticket) }, facts);
    await sendMail(tenant, mail, { to: user.email, user, client });
  });
}

/**
 * Tells the user that an administrator changed their factors. The mail does not contain the IP address of the request,
 * which would mean nothing to the user.
 * @param user the account before the change, so that the mail goes to the email address of before.
 */
export function sendFactorAdministeredMail(tenant: RequestTenant, user: Row<"users">, change: Omit<ChangedFactors, "undoLink">): void {
  if (!canMail(tenant) || user.email === "") return;
  const facts = { at: tenant.now() };
  mailLater(tenant, `factor_${change.change}`, () => sendMail(tenant, factorChanged(change, facts), { to: user.email, user }));
}
