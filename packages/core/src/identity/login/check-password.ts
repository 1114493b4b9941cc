import type { DataContext } from "../../context.ts";
import type { PasswordVerdict } from "../../adapters/hasher.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";

/**
 * Compares a password with a stored hash. Without a hash, returns `no-match` after the same time.
 * @throws {PosternError} `server_error` if this runtime cannot verify the hash. The error is logged for the operator.
 * The response does not state that the password is wrong, because it may be correct.
 */
export async function checkPassword(
  context: DataContext,
  stored: Row<"passwords"> | undefined,
  password: string,
): Promise<PasswordVerdict> {
  if (stored === undefined) {
    await context.secrets.hasher.verifyDummy(password, context.data.tenantId);
    return "no-match";
  }
  try {
    return await context.secrets.hasher.verify(password, stored.hash, context.data.tenantId);
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "UnsupportedHashError") throw cause;
    context.host.logger.log({ level: "error", event: "password_hash_unsupported", user_id: stored.user_id, error: cause });
    throw new PosternError("server_error", "The server cannot check this password. The error was logged for the operator.", { cause });
  }
}

/**
 * Replaces a hash with one that uses the current algorithm. Updates the row in place. A row id always belongs to the
 * same password, so this update cannot undo a parallel password change. A failure does not affect the login, and the
 * next login tries again.
 */
export async function rehashPassword(context: DataContext, { id, user_id }: Row<"passwords">, password: string): Promise<void> {
  try {
    await context.data.passwords.update(
      { id, user_id },
      { set: { hash: await context.secrets.hasher.hash(password, context.data.tenantId) } },
    );
  } catch (error) {
    context.host.logger.log({ level: "warn", event: "password_rehash_failed", user_id, error });
  }
}
