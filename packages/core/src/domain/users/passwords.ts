import { inParts } from "../../data/by-ids.ts";
import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { breachedPasswordDetection } from "../../model/tenant/breached-passwords.ts";
import type { ActionPlace } from "../actions/call-action.ts";
import type { Environment } from "../environment.ts";
import { checkBreached } from "../passwords/breached.ts";
import { checkHistory } from "../passwords/history.ts";
import { checkPolicy, historySize, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";

/** Passwords that a user may have had: as many as the longest history, and what lost races left. */
const mostKept = 100;

/** A tenant, as far as setting a password needs it. */
export interface PasswordTenant extends ActionPlace {
  readonly data: TenantData;
  readonly record: Pick<Row<"tenants">, "attack_protection">;
}

/**
 * Why a password may not be set; undefined where it may. Everybody who sets one asks here, and nowhere else: by the connection's policy (strength, common passwords,
 * what is known of the person, former passwords) and by the installation's list of breached ones, last, since that is asked over a network.
 * @param user whose it is to be; undefined for a new one, who has no history.
 */
export async function findPasswordFault(
  tenant: PasswordTenant,
  connection: Row<"connections">,
  password: string,
  owner: PasswordOwner,
  user?: Row<"users">,
): Promise<PasswordFault | undefined> {
  const { environment, data } = tenant;
  const options = databaseOptions(connection);
  const fault = await checkPolicy(password, options, owner);
  if (fault !== undefined) return fault;
  const former = user === undefined ? [] : await formerHashes(data, user, historySize(options));
  return (await checkHistory(password, former, environment.hasher, data.tenantId)) ?? findBreached(tenant, connection, password, user);
}

/** What the list of breached passwords knows. One that fails, or does not answer in time, keeps nobody from a password. */
async function findBreached(
  tenant: PasswordTenant,
  connection: Row<"connections">,
  password: string,
  user: Row<"users"> | undefined,
): Promise<PasswordFault | undefined> {
  const { breachedPasswords: list, logger, wait } = tenant.environment;
  const { enabled, stage } = breachedPasswordDetection(tenant.record, list !== undefined);
  const { shields } = user === undefined ? stage["pre-user-registration"] : stage["pre-change-password"];
  if (list === undefined || !enabled || !shields.includes("block")) return undefined;
  const about = {
    connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
    ...(user && { user: { user_id: user.user_id, name: user.name } }),
  };
  let fault: PasswordFault | undefined;
  try {
    fault = await checkBreached(password, list, wait);
  } catch (error) {
    logger.log({ level: "warn", event: "breached_passwords_failed", error });
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
export async function storePassword(environment: Environment, data: TenantData, userId: string, password: string): Promise<string> {
  const id = environment.ids.record("pwd_");
  const hash = await hashPassword(environment, data.tenantId, password);
  await data.passwords.insert([{ id, user_id: userId, hash, created_at: environment.clock.now() }]);
  return id;
}

async function hashPassword({ hasher }: Environment, tenantId: string, password: string): Promise<string> {
  try {
    return await hasher.hash(password, tenantId);
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
