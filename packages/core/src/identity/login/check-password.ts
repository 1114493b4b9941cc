import type { DataContext } from "../../context.ts";
import type { PasswordVerdict } from "../../adapters/hasher.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";

/**
 * Whether a password belongs to a stored hash. Without a hash it belongs to nothing, in the same time.
 * @throws {PosternError} `server_error` when this runtime cannot tell: the operator is told, and nobody hears that the password is wrong.
 */
export async function checkPassword(
  context: DataContext,
  stored: Row<"passwords"> | undefined,
  password: string,
): Promise<PasswordVerdict> {
  if (stored === undefined) {
    await context.secrets.hasher.verifyNothing(password, context.data.tenantId);
    return "no-match";
  }
  try {
    return await context.secrets.hasher.verify(password, stored.hash, context.data.tenantId);
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "UnsupportedHashError") throw cause;
    context.host.logger.log({ level: "error", event: "password_hash_unsupported", user_id: stored.user_id, error: cause });
    throw new PosternError("server_error", "The server cannot check this password. Its operator has been told.", { cause });
  }
}

/**
 * Replaces a hash by one of today's algorithm, in place: the row's id stands for this password alone, so whoever sets another one meanwhile is not undone.
 * A failure changes nothing for the person who logs in; the next login tries again.
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
