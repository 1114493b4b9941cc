import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import { recordLogin } from "../identity/login/record-login.ts";
import type { AuthTime } from "../identity/sessions/methods.ts";
import { deleteNewSession } from "../identity/sessions/session.ts";
import { startSignIn, type StartedPending, type StartedSession } from "./start-session.ts";
import type { Interaction } from "./interaction.ts";
import type { AuthenticationRecord, FactorRecord } from "./authentication-record.ts";

/**
 * An account that the visitor may enter without a further sign-in: for example, because they just created it or set its
 * password.
 */
interface OwnedAccount {
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
  readonly method: AuthenticationRecord["method"];
  /** Whether a passkey verified the user. */
  readonly userVerified?: boolean | undefined;
  /** When the user authenticated. Default: now. */
  readonly authTime?: AuthTime | undefined;
  /** The email addresses and phone numbers through which the sign-in went. Default: none. */
  readonly channels?: readonly string[];
  /** The second factors that the user just passed to set a new password. */
  readonly factors?: readonly FactorRecord[];
}

/**
 * Starts a session for an account that the visitor may enter, and records the login. If the user must pass a second
 * factor first, the sign-in stays pending.
 * @returns undefined, and starts no session, if the account is blocked, or if it was linked, deleted or given another
 * password during the request.
 */
export async function enterAccount(
  interaction: Interaction,
  { account, connection, ...authentication }: OwnedAccount,
): Promise<{ readonly user: Row<"users">; readonly begun: StartedSession | StartedPending } | undefined> {
  const { data } = interaction.tenant;
  const linked = account.linked_to !== "";
  const primary = linked ? await findOne(data.users, { user_id: account.linked_to }) : account;
  if (primary === undefined || primary.blocked || account.blocked) return undefined;
  const begun = await startSignIn(interaction, { ...authentication, primary, account, connection });
  if (begun.session === undefined) return { user: primary, begun };
  const user = await recordLogin(interaction.tenant, primary, account);
  if (user !== undefined) return { user, begun };
  await deleteNewSession(data, begun.session);
  return undefined;
}
