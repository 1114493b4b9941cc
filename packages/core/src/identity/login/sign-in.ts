import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import type { Client } from "../../model/clients/client.ts";
import { deleteNewSession, type Session } from "../sessions/session.ts";
import { recordLogin } from "./record-login.ts";

/**
 * The effect of a sign-in that starts first, usually a session. It is written before the sign-in is decided. A change
 * of the account at the same time, such as a new password, then either ends the session or makes the sign-in fail.
 */
export interface SessionStart<Started> {
  /**
   * @param userId the primary account.
   * @param account the account that was authenticated: the primary account, or one that is linked to it.
   */
  start(userId: string, account: Row<"users">): Promise<Started>;
  /** Removes the started session if the sign-in fails. Left out: no removal is needed, because it expires. */
  rollBack?(started: Started): Promise<unknown>;
}

/** Returns the {@link SessionStart} of a sign-in that starts a session. */
export function sessionStart<Started extends { readonly session: Session }>(
  tenant: TenantContext,
  start: SessionStart<Started>["start"],
): SessionStart<Started> {
  return { start, rollBack: ({ session }) => deleteNewSession(tenant.data, session) };
}

/** The parameters that every sign-in has. */
export interface SignInAttempt<Started> {
  readonly client: Client;
  readonly connection: Row<"connections">;
  readonly session: SessionStart<Started>;
}

/** The user is signed in. */
export interface SignInResult<Started> {
  readonly kind: "signed-in";
  /** The primary account, this sign-in included. */
  readonly user: Row<"users">;
  /** The account that was authenticated: the primary account, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly started: Started;
  /** Resolves when the sign-in is in the audit log. Await it before you send the response. */
  readonly recorded: Promise<unknown>;
}

/**
 * Starts the session and decides the sign-in: {@link recordLogin}.
 * @param work writes that run in parallel with the deciding write.
 * @returns undefined, and no session is left, if the account was blocked, linked, deleted or given another password
 * since it was read.
 */
export async function decideSignIn<Started>(
  tenant: TenantContext,
  session: SessionStart<Started>,
  accounts: { readonly primary: Row<"users">; readonly account: Row<"users"> },
  work: () => readonly Promise<unknown>[],
): Promise<Pick<SignInResult<Started>, "user" | "account" | "started"> | undefined> {
  const { primary, account } = accounts;
  const started = await session.start(primary.user_id, account);
  const [user] = await Promise.all([recordLogin(tenant, primary, account), ...work()]);
  if (user !== undefined) return { user, account: account.linked_to === "" ? user : account, started };
  await session.rollBack?.(started);
  return undefined;
}
