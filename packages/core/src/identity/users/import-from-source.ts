import type { DataContext, ServiceContext } from "../../context.ts";
import type { UserSourceQuery, UserSource } from "../../adapters/user-source.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { findAccount, type Identifier } from "../login/identifier.ts";
import { accountRow } from "./create-user.ts";
import { insertUsers } from "./insert-user.ts";
import { storePassword } from "./passwords.ts";

/** Timeout in milliseconds for a call to the host's user source. */
const deadline = 5000;

/** The connection to import a user into, and the identifier to look up. */
export interface SourceLookup {
  readonly connection: Row<"connections">;
  readonly identifier: Identifier;
}

/** An account and its current password. */
export interface ImportedAccount {
  readonly account: Row<"users">;
  readonly stored: Row<"passwords"> | undefined;
}

/**
 * Verifies a password with the host's user source, and imports the user with this password. Call this function if no
 * account has the identifier, or if the account has no password yet. Of parallel logins, one creates the account and
 * the others find it.
 * @returns undefined if the source does not know the user or the password is wrong; callers cannot distinguish the two.
 * @throws {PosternError} `temporarily_unavailable` if the source fails or times out.
 */
export async function importFromSource(
  context: DataContext,
  at: SourceLookup,
  known: Row<"users"> | undefined,
  password: string,
): Promise<ImportedAccount | undefined> {
  const { data } = context;
  const { connection, identifier } = at;
  const source = sourceOf(context, at);
  const isManagedByPostern =
    known !== undefined && (known.password_id !== null || known.last_password_reset !== null || known.linked_to !== "");
  if (source === undefined || isManagedByPostern) return undefined;
  const imported = await callSource(context, at, async (query) => {
    const sourceUser = await source.login({ ...query, password });
    return typeof sourceUser === "string" ? undefined : await toRow(context, at, sourceUser);
  });
  if (imported === undefined) return undefined;
  const userId = known?.user_id ?? imported.user_id;
  const passwordId = await storePassword(context, userId, password);
  const isStored =
    known === undefined
      ? await insertUsers(context, connection, [{ ...imported, password_id: passwordId }])
      : (await data.users.update({ user_id: userId, password_id: null }, { set: { password_id: passwordId }, add: { revision: 1 } })) === 1;
  if (!isStored) await data.passwords.delete({ id: passwordId });
  const account = await findAccount(data, connection, identifier);
  // If the account was linked in the meantime, it belongs to another user. The next attempt finds it as a linked
  // account.
  if (account === undefined || account.linked_to !== "") return undefined;
  const stored = await findOne(data.passwords, { id: account.password_id ?? "" });
  return { account, stored };
}

/**
 * Finds the account of a user who forgot the password. If no account has the identifier, looks the user up in the
 * host's user source and creates the account without a password.
 * Calls the source even if an account exists, so that response times do not reveal which accounts exist. A failure of
 * the source counts as an unknown user.
 */
export async function findOrImport(context: DataContext, at: SourceLookup): Promise<Row<"users"> | undefined> {
  const { data } = context;
  const { connection, identifier } = at;
  const getUser = sourceOf(context, at)?.getUser;
  const [known, sourceUser] = await Promise.all([
    findAccount(data, connection, identifier),
    getUser === undefined
      ? undefined
      : callSource(context, at, async (query) => {
          const user = await getUser(query);
          return user === undefined ? undefined : await toRow(context, at, user);
        }).catch(() => undefined),
  ]);
  if (known !== undefined || sourceUser === undefined) return known;
  return (await insertUsers(context, connection, [sourceUser])) ? sourceUser : findAccount(data, connection, identifier);
}

function sourceOf(context: ServiceContext, { connection }: SourceLookup): UserSource | undefined {
  return databaseOptions(connection).import_mode === true ? context.host.userSource : undefined;
}

async function callSource<T>(
  context: DataContext,
  { connection, identifier }: SourceLookup,
  call: (query: UserSourceQuery) => Promise<T>,
): Promise<T> {
  const query = { tenantId: context.data.tenantId, connection: connection.name, identifier: identifier.text };
  try {
    return await withDeadline(() => call(query), deadline, "the user source", context.host.wait);
  } catch (error) {
    context.host.logger.log({
      level: "error",
      event: "user_source_failed",
      tenant_id: context.data.tenantId,
      connection: connection.name,
      error,
    });
    throw new PosternError("temporarily_unavailable", "The service cannot check this now. Try again later.", { cause: error });
  }
}

/**
 * Converts a user from the host's user source to a row. @throws {TypeError} if the user does not have the submitted
 * identifier.
 */
async function toRow(context: ServiceContext, { connection, identifier }: SourceLookup, sourceUser: unknown): Promise<Row<"users">> {
  const { importedSourceUserSchema } = await import("../../model/users/imported-users.ts");
  const row = accountRow(context, connection, await importedSourceUserSchema.parseAsync(sourceUser));
  // Without this check, a user could sign in with an identifier that belongs to another user.
  if (!identifier.keys.some((key) => row[key] === identifier.text))
    throw new TypeError("the user source returned a user without the submitted identifier");
  return row;
}
