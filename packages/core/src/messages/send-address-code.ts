import { auditClient, auditUser } from "../logs/audit.ts";
import { isPosternError } from "../errors.ts";
import { codeIdOfForm, createCode, deleteUnsentCode, type CreatedCode } from "../identity/one-time-codes/one-time-code.ts";
import { addressCodePlace, pendingAddress, type AddressOwner, type NewAddress } from "../identity/users/change-address.ts";
import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { addressCode } from "./mails/address-code.ts";
import { addressInUse } from "./mails/address-in-use.ts";
import { limitMessages } from "./message-limits.ts";
import { sendMail, sendSms } from "./send.ts";

/** The id of the code that was sent, or why none was sent. */
type SentAddressCode =
  | { readonly codeId: string; readonly problem?: undefined }
  | { readonly problem: "too-many-codes" | "too-many-new-numbers" };

/**
 * Sends the code that confirms a new email address or phone number. If another account of the connection has it, no code is
 * valid: the owner of the email address gets a mail that says so, and the response is the same.
 * @param form the id of the form that requested the code. Only one code is sent, however often the form is submitted.
 */
export async function sendAddressCode(
  tenant: RequestTenant,
  owner: AddressOwner,
  address: NewAddress,
  form: string,
): Promise<SentAddressCode> {
  const { user, client } = owner;
  const { channel } = addressCodePlace(owner, address);
  if ((await limitMessages(tenant, { channel, address: address.address, ...(client && { client }) })) !== undefined)
    return { problem: "too-many-codes" };
  const budget = channel === "sms" ? await tenant.newNumberBudget({ user, address: address.address }) : undefined;
  if ((await budget?.check()) !== undefined) return { problem: "too-many-new-numbers" };
  const holder = await findHolder(tenant, user, address);
  const created = await createCode(tenant, {
    ...addressCodePlace(owner, address),
    userId: user.user_id,
    request: pendingAddress(user, address),
    pretend: holder !== undefined,
    form,
  }).catch((error: unknown) => {
    if (!isPosternError(error) || error.code !== "TOO_MANY_REQUESTS") throw error;
    return "too-many-codes" as const;
  });
  if (created === "too-many-codes") return { problem: created };
  if (created === undefined) return { codeId: await codeIdOfForm(tenant, form) };
  // Counted after the code was created, so that a form that is submitted repeatedly counts once.
  if ((await budget?.count()) !== undefined) {
    await deleteUnsentCode(tenant, created);
    return { problem: "too-many-new-numbers" };
  }
  await Promise.all([
    send(tenant, owner, address, { created, holder }),
    tenant.audit({ type: "cs", description: "A code for a new address was sent.", ...auditClient(client), ...auditUser(user) }),
  ]);
  return { codeId: created.id };
}

/** Finds the other account that signs in with the address in the user's connection. */
function findHolder(
  { data }: RequestTenant,
  { connection }: Row<"users">,
  { kind, address }: NewAddress,
): Promise<Row<"users"> | undefined> {
  return findOne(data.users, { connection, ...(kind === "email" ? { email_key: address } : { phone_key: address }) });
}

function send(
  tenant: RequestTenant,
  { user, client }: AddressOwner,
  { kind, address: to }: NewAddress,
  { created, holder }: { readonly created: CreatedCode; readonly holder: Row<"users"> | undefined },
): Promise<void> {
  const message = addressCode(created);
  if (kind === "phone") return sendSms(tenant, message, { to, user, client, ...(holder && { pretend: true }) });
  return holder === undefined
    ? sendMail(tenant, message, { to, user, client })
    : sendMail(tenant, addressInUse(), { to, user: holder, client });
}
