import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { deleteNewSession, type StoredSession } from "../sessions/session.ts";
import { recordLogin } from "./record-login.ts";

/**
 * The functions that create the session for a sign-in, or whatever the caller needs instead, and remove it if the
 * sign-in fails. The session is created before the write that decides whether the sign-in succeeds. A parallel change
 * of the account, such as a new password, therefore either ends the session or makes the sign-in fail.
 */
export interface SessionStart<Started> {
  /**
   * @param primary the primary account.
   * @param account the account that was authenticated: the primary account, or one that is linked to it.
   * @param channels the email addresses and phone numbers through which the authentication went.
   */
  start(primary: Row<"users">, account: Row<"users">, channels: readonly string[]): Promise<Started>;
  /**
   * Whether the user must pass a second factor first, so that no session was created. The sign-in is recorded when it
   * is complete. Left out: `start` always completes the sign-in.
   */
  isPending?(started: Started): boolean;
  /**
   * Removes the started session if the sign-in fails. Left out: the started session is not removed and expires by
   * itself.
   */
  rollBack?(started: Started): Promise<unknown>;
}

/** Returns the {@link SessionStart} for a sign-in that creates a session, unless a second factor is missing. */
export function sessionStart<Started extends { readonly session?: StoredSession | undefined }>(
  tenant: TenantContext,
  start: SessionStart<Started>["start"],
): SessionStart<Started> {
  return {
    start,
    isPending: ({ session }) => session === undefined,
    rollBack: async ({ session }) => session && deleteNewSession(tenant.data, session),
  };
}

/** The parameters that every sign-in has. */
export interface SignInAttempt<Started> {
  readonly client: RegisteredClient;
  readonly connection: Row<"connections">;
  readonly session: SessionStart<Started>;
}

/** The result of a successful sign-in. */
export interface SignInResult<Started> {
  readonly kind: "signed-in";
  /** The primary account, after this sign-in was written to it. */
  readonly user: Row<"users">;
  /** The account that was authenticated: the primary account, or one that is linked to it. */
  readonly account: Row<"users">;
  readonly started: Started;
  /**
   * Resolves when the sign-in is in the audit log; immediately if a second factor is missing. Await it before you send
   * the response.
   */
  readonly recorded: Promise<unknown>;
}

/**
 * Starts the session and then writes the sign-in to the account. That write decides whether the sign-in succeeds: see
 * {@link recordLogin}.
 * @param work writes that run in parallel with the deciding write.
 * @param audit writes the sign-in to the audit log. Not called if a second factor is missing.
 * @returns undefined, after the session was rolled back, if the account was blocked, linked, deleted or given another
 * password since it was read.
 */
export async function decideSignIn<Started>(
  tenant: TenantContext,
  session: SessionStart<Started>,
  { primary, account, channels }: { readonly primary: Row<"users">; readonly account: Row<"users">; readonly channels: readonly string[] },
  work: () => readonly Promise<unknown>[],
  audit: (user: Row<"users">) => Promise<unknown>,
): Promise<Omit<SignInResult<Started>, "kind"> | undefined> {
  const started = await session.start(primary, account, channels);
  if (session.isPending?.(started) === true) {
    await Promise.all(work());
    return { user: primary, account, started, recorded: Promise.resolve() };
  }
  const [user] = await Promise.all([recordLogin(tenant, primary, account), ...work()]);
  if (user !== undefined) return { user, account: account.linked_to === "" ? user : account, started, recorded: audit(user) };
  await session.rollBack?.(started);
  return undefined;
}
