import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import type { Environment } from "../environment.ts";

/**
 * Stores a password's hash, before the user that will point at it: a crash in between leaves a row that nobody uses.
 * @returns the id for `password_id`.
 */
export async function storePassword(environment: Environment, data: TenantData, userId: string, password: string): Promise<string> {
  const id = environment.ids.record("pwd_");
  const hash = await hashPassword(environment, password);
  await data.passwords.insert([{ id, user_id: userId, hash, created_at: environment.clock.now() }]);
  return id;
}

async function hashPassword({ hasher }: Environment, password: string): Promise<string> {
  try {
    return await hasher.hash(password);
  } catch (cause) {
    if (cause instanceof Error && cause.name === "PasswordTooLongError") {
      throw new PosternError("invalid_request", "body: 'password' is too long", { errorCode: "invalid_body", cause });
    }
    throw cause;
  }
}

/** Passwords that a user had before, besides the one that counts, newest first. */
export async function removeOldPasswords(data: TenantData, user: Row<"users">, keep: number): Promise<void> {
  const rows = await data.passwords.find({
    where: { user_id: user.user_id },
    orderBy: { fields: ["created_at", "id"], direction: "desc" },
    limit: 100,
  });
  const old = rows.filter(({ id }) => id !== user.password_id).slice(keep);
  for (let i = 0; i < old.length; i += 50) await data.passwords.delete({ id: { in: old.slice(i, i + 50).map(({ id }) => id) } });
}
