import { auditConnection, auditUser } from "../../logs/audit.ts";
import type { DataContext, ServiceContext, TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import { splitIntoParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import type { FirstFactor } from "../factors/factor-uses.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { breachedPasswordDetection } from "../../model/tenant/breached-passwords.ts";
import { checkBreached } from "../passwords/breached.ts";
import { checkHistory } from "../passwords/history.ts";
import { checkPolicy, historySize, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";

/**
 * The maximum number of password rows that are read for one user. It is greater than the longest history, because lost
 * races may leave unused rows.
 */
const maximumPasswords = 100;

/**
 * Returns why a password is not allowed; undefined if it is allowed. Every new password is checked by this function. It
 * checks the connection's policy first: strength, common passwords, personal data and former passwords. Then it checks
 * the host's list of breached passwords, which requires a network request.
 * @param user the user who gets the password; undefined for a new user, who has no password history.
 */
export async function findPasswordFault(
  tenant: TenantContext,
  connection: Row<"connections">,
  password: string,
  owner: PasswordOwner,
  user?: Row<"users">,
): Promise<PasswordFault | undefined> {
  const { data } = tenant;
  const options = databaseOptions(connection);
  const fault = await checkPolicy(password, options, owner);
  if (fault !== undefined) return fault;
  const former = user === undefined ? [] : await formerHashes(data, user, historySize(options));
  return (await checkHistory(password, former, tenant.secrets.hasher, data.tenantId)) ?? findBreached(tenant, connection, password, user);
}

/** Checks the host's list of breached passwords. If the query fails or times out, the password is allowed. */
async function findBreached(
  tenant: TenantContext,
  connection: Row<"connections">,
  password: string,
  user: Row<"users"> | undefined,
): Promise<PasswordFault | undefined> {
  const { enabled, stage } = breachedPasswordDetection(tenant.record, tenant.host.breachedPasswords !== undefined);
  const { shields } = user === undefined ? stage["pre-user-registration"] : stage["pre-change-password"];
  if (tenant.host.breachedPasswords === undefined || !enabled || !shields.includes("block")) return undefined;
  const about = {
    ...auditConnection(connection),
    ...(user && auditUser(user)),
  };
  let fault: PasswordFault | undefined;
  try {
    fault = await checkBreached(password, tenant.host.breachedPasswords, tenant.host.wait);
  } catch (error) {
    tenant.host.logger.log({ level: "warn", event: "breached_passwords_failed", error });
    await tenant.audit({ type: "wum", description: "Breached passwords could not be checked. The password was allowed", ...about });
  }
  if (fault !== undefined) await tenant.audit({ type: user === undefined ? "signup_pwd_leak" : "reset_pwd_leak", ...about });
  return fault;
}

/**
 * Requires that the connection's policy allows a password ({@link findPasswordFault}).
 * @throws {PosternError} `invalid_request`.
 */
export async function checkNewPassword(...input: Parameters<typeof findPasswordFault>): Promise<void> {
  const fault = await findPasswordFault(...input);
  if (fault !== undefined) throw toPasswordError(fault);
}

/** Converts a password fault to an error for callers of the Management API. */
export function toPasswordError(fault: PasswordFault): PosternError {
  return new PosternError("invalid_request", `body: 'password': ${fault.name}: ${fault.message}`, { errorCode: "invalid_body" });
}

/** Returns the current password hash and up to `size` former hashes; none if the connection has no password history. */
async function formerHashes(data: TenantData, user: Row<"users">, size: number): Promise<readonly string[]> {
  if (size === 0) return [];
  const rows = await passwordsOf(data, user);
  return [...rows.filter(({ id }) => id === user.password_id), ...rows.filter(({ id }) => id !== user.password_id).slice(0, size)].map(
    ({ hash }) => hash,
  );
}

/** Reads the stored passwords of a user, newest first. */
async function passwordsOf(data: TenantData, user: Row<"users">): Promise<readonly Row<"passwords">[]> {
  return data.passwords.find({
    where: { user_id: user.user_id },
    orderBy: { fields: ["created_at", "id"], direction: "desc" },
    limit: maximumPasswords,
  });
}

/**
 * Stores the hash of a password. The caller must then set the id in the user's row; a crash before that leaves an
 * unused row.
 * @param setThrough the email address to which the link or code was sent with which the user sets the password; null if
 * the user set it in another way, or passed a second factor before.
 * @returns the id to set as `password_id`.
 */
export async function storePassword(
  context: DataContext,
  userId: string,
  password: string,
  setThrough: string | null = null,
): Promise<string> {
  const id = context.random.record("pwd_");
  const hash = await hashPassword(context, context.data.tenantId, password);
  await context.data.passwords.insert([{ id, user_id: userId, hash, set_through: setThrough, created_at: context.now() }]);
  return id;
}

async function hashPassword(context: ServiceContext, tenantId: string, password: string): Promise<string> {
  try {
    return await context.secrets.hasher.hash(password, tenantId);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordTooLongError") {
      throw new PosternError("invalid_request", "body: 'password' is too long", { errorCode: "invalid_body", cause });
    }
    throw cause;
  }
}

/**
 * Stores that a second factor confirmed the user who signed in with the account's password: a code to the address through
 * which the password was set is then another factor. Sends no query for other sign-ins.
 * @param accounts the primary account, and the id of the account that signed in.
 */
export async function confirmPassword(
  { data }: Pick<DataContext, "data">,
  { user, accountId }: { readonly user: Row<"users">; readonly accountId: string },
  { method, channels = [] }: FirstFactor,
): Promise<void> {
  if (method !== "pwd" || channels.length === 0) return;
  const account = accountId === user.user_id ? user : await findOne(data.users, { user_id: accountId });
  const id = account?.password_id ?? null;
  if (id !== null) await data.passwords.update({ id }, { set: { set_through: null } });
}

/** Deletes the stored passwords of a user, except the current one and the newest `keep` former ones. */
export async function removeOldPasswords(data: TenantData, user: Row<"users">, keep: number): Promise<void> {
  const old = (await passwordsOf(data, user)).filter(({ id }) => id !== user.password_id).slice(keep);
  for (const ids of splitIntoParts(old.map(({ id }) => id))) await data.passwords.delete({ id: { in: ids } });
}
