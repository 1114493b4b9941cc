import { auditConnection, auditUser } from "../../logs/audit.ts";
import type { DataContext, ServiceContext, TenantContext } from "../../context.ts";
import { inParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { breachedPasswordDetection } from "../../model/tenant/breached-passwords.ts";
import { checkBreached } from "../passwords/breached.ts";
import { checkHistory } from "../passwords/history.ts";
import { checkPolicy, historySize, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";

/** Passwords that a user may have had: as many as the longest history, and what lost races left. */
const mostKept = 100;

/**
 * Why a password may not be set; undefined where it may. Everybody who sets one asks here, and nowhere else: by the connection's policy (strength, common passwords,
 * what is known of the person, former passwords) and by the installation's list of breached ones, last, since that is asked over a network.
 * @param user whose it is to be; undefined for a new one, who has no history.
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

/** What the list of breached passwords knows. One that fails, or does not answer in time, keeps nobody from a password. */
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
    await tenant.audit({ type: "wum", description: "The list of breached passwords did not answer; the password was allowed", ...about });
  }
  if (fault !== undefined) await tenant.audit({ type: user === undefined ? "signup_pwd_leak" : "reset_pwd_leak", ...about });
  return fault;
}

/**
 * Refuses a password that its connection's policy does not allow ({@link findPasswordFault}).
 * @throws {PosternError} `invalid_request`.
 */
export async function checkNewPassword(...input: Parameters<typeof findPasswordFault>): Promise<void> {
  const fault = await findPasswordFault(...input);
  if (fault !== undefined) throw passwordRefused(fault);
}

/** A fault of a password as the Management API tells it. */
export function passwordRefused(fault: PasswordFault): PosternError {
  return new PosternError("invalid_request", `body: 'password': ${fault.name}: ${fault.message}`, { errorCode: "invalid_body" });
}

/** The hash that counts and those of so many passwords before it; none where no history is kept. */
async function formerHashes(data: TenantData, user: Row<"users">, size: number): Promise<readonly string[]> {
  if (size === 0) return [];
  const rows = await passwordsOf(data, user);
  return [...rows.filter(({ id }) => id === user.password_id), ...rows.filter(({ id }) => id !== user.password_id).slice(0, size)].map(
    ({ hash }) => hash,
  );
}

/** Newest first. */
async function passwordsOf(data: TenantData, user: Row<"users">): Promise<readonly Row<"passwords">[]> {
  return data.passwords.find({
    where: { user_id: user.user_id },
    orderBy: { fields: ["created_at", "id"], direction: "desc" },
    limit: mostKept,
  });
}

/**
 * Stores a password's hash, before the user that will point at it: a crash in between leaves a row that nobody uses.
 * @returns the id for `password_id`.
 */
export async function storePassword(context: DataContext, userId: string, password: string): Promise<string> {
  const id = context.random.record("pwd_");
  const hash = await hashPassword(context, context.data.tenantId, password);
  await context.data.passwords.insert([{ id, user_id: userId, hash, created_at: context.now() }]);
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

/** Removes passwords that a user had before, besides the one that counts and the newest `keep`. */
export async function removeOldPasswords(data: TenantData, user: Row<"users">, keep: number): Promise<void> {
  const old = (await passwordsOf(data, user)).filter(({ id }) => id !== user.password_id).slice(keep);
  for (const ids of inParts(old.map(({ id }) => id))) await data.passwords.delete({ id: { in: ids } });
}
