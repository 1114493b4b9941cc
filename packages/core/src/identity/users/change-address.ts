import * as z from "zod";
import type { DataContext, TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { provenEmail, provenSignUp } from "../../model/users/email-proof.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import { isConflict } from "../../store/conflicts.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { requireActionsAllow } from "../actions/own-change.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import { findCode, useCode, type CodePlace } from "../one-time-codes/one-time-code.ts";
import { queueLogoutsOfUser } from "../sessions/logouts.ts";
import { accessColumns, accessColumnsSchema } from "./account-access.ts";
import { loginKeys, requireFreeKeys } from "./login-keys.ts";

type User = Row<"users">;

/** The kinds of addresses that users change: `email`, their email address, and `phone`, their phone number. */
export type AddressKind = "email" | "phone";

/** A new address of an account. */
export interface NewAddress {
  readonly kind: AddressKind;
  /** The email address or phone number, normalized as in the accounts of the connection. */
  readonly address: string;
}

/** The new address that waits for its code, and the state of the account when the change began. Stored with the code. */
const pendingSchema = z.object({
  kind: z.enum(["email", "phone"]),
  address: z.string(),
  former: accessColumnsSchema.extend({ email: z.string(), phone_number: z.string().nullable(), phone_verified: z.boolean() }),
});

/** The user who changes an address, in one session. */
export interface AddressOwner {
  /** The primary account. */
  readonly user: User;
  readonly sessionId: string;
  readonly client: RegisteredClient | undefined;
}

/** Returns the data that is stored with the code for a new address. */
export function pendingAddress(user: User, { kind, address }: NewAddress): z.infer<typeof pendingSchema> {
  return { kind, address, former: formerState(user) };
}

/** Returns where the code for a new address is valid: in the session that requested it, for this user and address. */
export function addressCodePlace({ user, sessionId }: Pick<AddressOwner, "user" | "sessionId">, { kind, address }: NewAddress): CodePlace {
  return {
    purpose: "change-address",
    connectionId: user.user_id,
    channel: kind === "email" ? "email" : "sms",
    identifier: address,
    clientId: "",
    loginId: sessionId,
    ip: undefined,
  };
}

/** Finds the new address for which a code was requested in the session of its user. */
export async function findPendingAddress(
  { data }: DataContext,
  { user, sessionId }: Pick<AddressOwner, "user" | "sessionId">,
  codeId: string,
): Promise<NewAddress | undefined> {
  const row = await findOne(data.one_time_codes, { id: codeId, purpose: "change-address", login_id: sessionId, user_id: user.user_id });
  return row && pendingSchema.parse(row.request);
}

/** The result of {@link confirmAddress}. `taken`: another account got the address since the code was sent. */
export type AddressChange = "changed" | "wrong-code" | "taken" | "outdated";

/**
 * Changes the email address or the phone number of an account, if the code that was sent to the new one is right. The
 * address counts as proven by its owner. Writes the audit event, and tells the user at the former address.
 *
 * The write requires that the identifiers and the password of the account are those with which the change began, and that
 * the account is neither frozen, blocked, linked nor deleted, and has no pending deletion. Of parallel calls, one changes it.
 * @returns `changed` also if another submission of the form changed the account. `outdated`: the account changed since the
 * code was sent.
 * @throws {PosternError} `access_denied` if changes are frozen or an action denies the change; `temporarily_unavailable` if
 * an action failed; `conflict` if concurrent requests keep changing the user.
 */
export async function confirmAddress(
  tenant: TenantContext,
  owner: AddressOwner,
  pending: NewAddress,
  typed: string,
): Promise<AddressChange> {
  const { data } = tenant;
  const where = { user_id: owner.user.user_id, linked_to: "", blocked: false, deletes_at: null } as const;
  const code = await findCode(tenant, { ...addressCodePlace(owner, pending), typed });
  const current = await findOne(data.users, where);
  if (current === undefined) return "outdated";
  // Another submission of the form, which may have used up the tries of the code, may have changed the address.
  if (code === undefined) return hasAddress(current, pending) ? "changed" : "wrong-code";
  const { former } = pendingSchema.parse(code.request);
  let isWriter = false;
  if (!hasAddress(current, pending)) {
    const { client } = owner;
    const changes = pending.kind === "email" ? { email: pending.address } : { phone_number: pending.address };
    const apply = async (found: User): Promise<Partial<User> | undefined> => {
      if (areFactorsFrozen(tenant, found)) throw frozenFactors();
      const isUnchanged = JSON.stringify(formerState(found)) === JSON.stringify(former);
      if (!isUnchanged) return undefined;
      const columns = addressColumns(tenant.now(), found, pending);
      await requireFreeKeys(data, found, { [`${pending.kind}_key`]: columns[`${pending.kind}_key`] });
      await requireActionsAllow(tenant, { user: found, client, changes });
      return columns;
    };
    const change = await changeRow(data.users, where, apply, current).catch((error: unknown) => {
      if (isConflict(error)) return "taken" as const;
      throw error;
    });
    if (change === "taken") return change;
    if (change.outcome === "lost-race") throw lostRace("user");
    if (change.outcome === "absent" || !hasAddress(change.row, pending)) return "outdated";
    isWriter = change.outcome === "changed";
  }
  // The code is used last, so that a form that is sent again after a crash repeats the logout tokens and the report.
  if (pending.kind === "email") await queueLogoutsOfUser(tenant, where.user_id, "email-identifier-changed");
  // A code that expired since it was found may have been deleted.
  const isFirst = (await useCode(tenant, code)) || (isWriter && (await data.one_time_codes.count({ id: code.id })) === 0);
  if (isFirst) await report(tenant, owner, pending, { ...current, ...former });
  return "changed";
}

/** Tells the user at the former address, and writes the audit event. @param before the account before the change. */
async function report(tenant: TenantContext, { client }: AddressOwner, { kind, address }: NewAddress, before: User): Promise<void> {
  const details = await tenant.messages.notifyAccountChange(before, { change: kind, client });
  const changed = { ...before, ...(kind === "email" ? { email: address } : { phone_number: address }) };
  await tenant.audit({ ...events[kind], ...auditClient(client), ...auditUser(changed), details });
}

const events = {
  email: { type: "sce", description: "The user changed their email address." },
  phone: { type: "scpn", description: "The user changed their phone number." },
} as const;

/** Whether an account has an address already. Email addresses are compared in lower case. */
export function hasAddress({ email, phone_number: phone }: Pick<User, "email" | "phone_number">, { kind, address }: NewAddress): boolean {
  return kind === "email" ? email.toLowerCase() === address.toLowerCase() : phone === address;
}

function formerState(user: User): z.infer<typeof pendingSchema>["former"] {
  const { email, phone_number, phone_verified } = user;
  return { ...accessColumns(user), email, phone_number, phone_verified };
}

function addressColumns(now: number, user: User, { kind, address }: NewAddress): Partial<User> {
  const identifiers = { ...user, ...(kind === "email" ? { email: address } : { phone_number: address }) };
  const { email, phone_number } = identifiers;
  const proof = kind === "email" ? provenEmail(address, "mailbox") : { phone_verified: true, ...provenSignUp };
  return { email, phone_number, ...loginKeys(user.provider, identifiers), ...proof, updated_at: now };
}
