import { inParts } from "../../data/by-ids.ts";
import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import type { Environment } from "../environment.ts";
import { checkHistory } from "../passwords/history.ts";
import { checkPolicy, historySize, type PasswordFault, type PasswordOwner } from "../passwords/policy.ts";

/** Passwords that a user may have had: as many as the longest history, and what lost races left. */
const mostKept = 100;

/**
 * Why a connection's policy does not allow a password; undefined where it does.
 * @param user whose it is to be; undefined for a new one, who has no history.
 */
export async function findPasswordFault(
  { hasher }: Environment,
  data: TenantData,
  connection: Row<"connections">,
  password: string,
  owner: PasswordOwner,
  user?: Row<"users">,
): Promise<PasswordFault | undefined> {
  const options = databaseOptions(connection);
  const fault = checkPolicy(password, options, owner);
  if (fault !== undefined || user === undefined) return fault;
  return checkHistory(password, await formerHashes(data, user, historySize(options)), hasher, data.tenantId);
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
