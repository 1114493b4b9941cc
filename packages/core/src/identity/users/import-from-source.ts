import type { DataContext, ServiceContext } from "../../context.ts";
import type { SourceQuestion, UserSource } from "../../adapters/user-source.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { SourceUser } from "../../model/users/imported-users.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { findAccount, type Identifier } from "../login/identifier.ts";
import { accountRow } from "./create-user.ts";
import { insertUsers } from "./insert-user.ts";
import { storePassword } from "./passwords.ts";

/** Milliseconds that the database which people come from may take. */
const deadline = 5000;

/** Where people are brought over: a connection whose users still come from another database. */
export interface SourceLookup {
  readonly connection: Row<"connections">;
  readonly identifier: Identifier;
}

/** An account, and the password that counts for it. */
export interface ImportedAccount {
  readonly account: Row<"users">;
  readonly stored: Row<"passwords"> | undefined;
}

/**
 * Asks the database that people come from about somebody who signs in, where nobody is known here by what they typed, or no password is yet, and makes them a user here with the password that they typed.
 * Of parallel logins one makes the user, and the others find them.
 * @returns undefined where they are unknown there as well, or the password is wrong: which of the two, nobody is told.
 * @throws {PosternError} `temporarily_unavailable` where it cannot be told now.
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
  const settled = known !== undefined && (known.password_id !== null || known.last_password_reset !== null || known.linked_to !== "");
  if (source === undefined || settled) return undefined;
  const answer = await asking(context, at, async (question) => {
    const told = await source.login({ ...question, password });
    return typeof told === "string" ? undefined : toRow(context, at, told);
  });
  if (answer === undefined) return undefined;
  const userId = known?.user_id ?? answer.user_id;
  const passwordId = await storePassword(context, userId, password);
  const made =
    known === undefined
      ? await insertUsers(context, connection, [{ ...answer, password_id: passwordId }])
      : (await data.users.update({ user_id: userId, password_id: null }, { set: { password_id: passwordId }, add: { revision: 1 } })) === 1;
  if (!made) await data.passwords.delete({ id: passwordId });
  const account = await findAccount(data, connection, identifier);
  // One that was linked meanwhile is somebody's by now: the next try finds that.
  if (account === undefined || account.linked_to !== "") return undefined;
  const [stored] = await data.passwords.find({ where: { id: account.password_id ?? "" }, limit: 1 });
  return { account, stored };
}

/**
 * The account that somebody has who forgot their password: where nobody is known here by what they typed, the database that people come from is asked, and whom it knows is made a user here, without a password.
 * Asked also where somebody is known, so that the time does not tell. One that cannot tell now knows nobody.
 */
export async function findOrImport(context: DataContext, at: SourceLookup): Promise<Row<"users"> | undefined> {
  const { data } = context;
  const { connection, identifier } = at;
  const getUser = sourceOf(context, at)?.getUser;
  const [known, told] = await Promise.all([
    findAccount(data, connection, identifier),
    getUser === undefined
      ? undefined
      : asking(context, at, async (question) => {
          const user = await getUser(question);
          return user === undefined ? undefined : toRow(context, at, user);
        }).catch(() => undefined),
  ]);
  if (known !== undefined || told === undefined) return known;
  return (await insertUsers(context, connection, [told])) ? told : findAccount(data, connection, identifier);
}

function sourceOf(context: ServiceContext, { connection }: SourceLookup): UserSource | undefined {
  return databaseOptions(connection).import_mode === true ? context.host.userSource : undefined;
}

async function asking<T>(
  context: DataContext,
  { connection, identifier }: SourceLookup,
  ask: (question: SourceQuestion) => Promise<T>,
): Promise<T> {
  const question = { tenantId: context.data.tenantId, connection: connection.name, identifier: identifier.text };
  try {
    return await withDeadline(() => ask(question), deadline, "the user source", context.host.wait);
  } catch (error) {
    context.host.logger.log({
      level: "error",
      event: "user_source_failed",
      tenant_id: context.data.tenantId,
      connection: connection.name,
      error,
    });
    throw new PosternError("temporarily_unavailable", "The service cannot tell now. Try again later.", { cause: error });
  }
}

/** A user as the other database knows them, as a record. @throws {TypeError} where that cannot be somebody who is known by what was typed. */
function toRow(context: ServiceContext, { connection, identifier }: SourceLookup, told: unknown): Row<"users"> {
  const row = accountRow(context, connection, SourceUser.parse(told));
  // Else whoever it is signs in by another's name.
  if (!identifier.keys.some((key) => row[key] === identifier.text))
    throw new TypeError("the user source gave a user who is not known by what was typed");
  return row;
}
