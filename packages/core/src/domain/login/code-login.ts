import type { RateLimiter } from "../../adapters/rate-limit.ts";
import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { isPosternError, type PosternError } from "../../errors.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { limitOneTimeCode } from "../attack-protection/rate-limit.ts";
import type { Registration } from "../actions/registration.ts";
import type { Wait } from "../attack-protection/wait.ts";
import type { AuditEvent } from "../audit.ts";
import type { Environment } from "../environment.ts";
import { findCode, spendCode, type CodeGuess, type OneTimeCode } from "../one-time-codes/one-time-code.ts";
import { createUser } from "../users/create-user.ts";
import { proveEmailOf } from "../users/prove-email.ts";
import { provePhone } from "../users/prove-phone.ts";
import { codeMakesAccount, findCodeAccount, type CodeAddress } from "./code-address.ts";
import { recordLogin } from "./record-login.ts";

/** One try to log in with a one-time code. */
export interface CodeTry {
  readonly environment: Environment;
  readonly data: TenantData;
  readonly tenantId: string;
  readonly connection: Row<"connections">;
  /** What the code was sent to. */
  readonly address: CodeAddress;
  /** As it was typed. */
  readonly code: string;
  /** Of the link that was opened, if one was. */
  readonly linkKey?: string | undefined;
  readonly clientId: string;
  /** The login session that asked for the code; left out: `/passwordless/start` did. */
  readonly loginId?: string | undefined;
  /** Finds the primary user if the browser has signed in to the account before. Omit it if there is no browser. */
  findKnownUserId?(account: Row<"users"> | undefined): Promise<string | undefined>;
  /** The true client's address, where the host told it. */
  readonly ip: string | undefined;
  /** The host's; without one only the tries at the code itself are counted. */
  readonly limiter: RateLimiter | undefined;
  readonly wait: Wait;
  /** Asks and tells the host's actions, where the code makes an account. */
  readonly registration: Registration;
  /** Begins the session of a primary account that was proved by one of its accounts. Where the login does not come about after all, the caller takes it back. */
  begin(userId: string, account: Row<"users">): Promise<unknown>;
}

/** What came of a try. `events` are to be put on record by the caller, who adds the client. */
export type CodeLogin = { readonly events: readonly AuditEvent[] } & (
  | {
      readonly kind: "signed-in";
      /** The primary account, this login included. */
      readonly user: Row<"users">;
      readonly account: Row<"users">;
      /** What was spent, with what its request was. */
      readonly code: OneTimeCode;
    }
  /** Wrong, over, used, or sent to another client, connection or login. */
  | { readonly kind: "wrong-code" }
  /** The code is right, and an administrator blocked the account. */
  | { readonly kind: "blocked" }
  /** The code is right, nobody has an account by the address, and an action of the host's wants none to be made. */
  | { readonly kind: "no-account"; readonly message: string }
  /** Too many tries at the address. */
  | { readonly kind: "refused"; readonly error: PosternError }
);

/**
 * Logs in with a one-time code (spec sections 4.3 and 8). Spending the code decides; all else comes after, so a lost process costs the code and nothing more.
 *
 * A code proves the address or number that it was sent to. An account whose address or number was never proven belongs to the owner from then on, and loses
 * everything else that leads into it ({@link proveEmailOf}, {@link provePhone}). At a connection that creates accounts by codes, the first code creates one.
 */
export async function signInWithCode(request: CodeTry): Promise<CodeLogin> {
  const { environment, data, connection, address, clientId, loginId, ip } = request;
  const limit = await limitOneTimeCode(request, request.tenantId, address.text);
  const noted = limit.event === undefined ? [] : [limit.event];

  const accountFound = findCodeAccount(data, connection, address);
  const guess: CodeGuess = {
    purpose: "login",
    connectionId: connection.id,
    channel: address.channel,
    identifier: address.text,
    clientId,
    loginId,
    ip,
    typed: request.code,
    linkKey: request.linkKey,
    limited: limit.refusal !== undefined,
    findKnownUserId: async () => request.findKnownUserId?.(await accountFound),
  };
  const [code, known] = await Promise.all([findCode(environment, data, guess), accountFound]);
  const parties = (user: Row<"users"> | undefined): Pick<AuditEvent, "connection" | "user"> => ({
    connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
    user: { user_id: user?.user_id ?? "", name: user?.name ?? address.text },
  });
  const wrong = (): CodeLogin => ({
    kind: "wrong-code",
    events: [{ type: "fp", description: "Wrong one-time code.", ...parties(known) }, ...noted],
  });
  // Strangers can use up the limit, which counts by destination: a right code with tries of its own still signs in.
  if (code === undefined && limit.refusal !== undefined) return { kind: "refused", error: limit.refusal, events: noted };
  if (code === undefined || !(await spendCode(environment, data, code))) return wrong();

  const account = await ownedAccount(request, known);
  if (account !== undefined && "denied" in account) return { kind: "no-account", message: account.denied, events: noted };
  const linked = account !== undefined && account.linked_to !== "";
  const [primary] = linked ? await data.users.find({ where: { user_id: account.linked_to }, limit: 1 }) : [account];
  if (account === undefined || primary === undefined) return wrong();
  const blocked = (): CodeLogin => ({
    kind: "blocked",
    events: [{ type: "f", description: "The user is blocked.", ...parties(primary) }, ...noted],
  });
  if (primary.blocked || account.blocked) return blocked();
  await request.begin(primary.user_id, account);
  const [user] = await Promise.all([recordLogin(request, primary, account), clearFailures(data, primary.user_id)]);
  if (user === undefined) return blocked();
  return { kind: "signed-in", user, account: linked ? account : user, code, events: [{ type: "s", ...parties(user) }, ...noted] };
}

/** The account of the owner of the address or number, after the code proved it, or a new one. Undefined: the code signs in to no account. */
async function ownedAccount(
  { environment, data, connection, address, registration }: CodeTry,
  known: Row<"users"> | undefined,
): Promise<Row<"users"> | { readonly denied: string } | undefined> {
  const { channel, text } = address;
  if (known === undefined) {
    if (!codeMakesAccount(connection)) return undefined;
    const proved = channel === "email" ? { email: text, email_verified: true } : { phone_number: text, phone_verified: true };
    const asked = await registration.before(channel === "email" ? { email: text } : { phone_number: text });
    if (asked.kind === "denied") return { denied: asked.message };
    const { kind: _, ...metadata } = asked;
    try {
      const made = await createUser(environment, data, connection, { connection: connection.name, ...proved, ...metadata }, "mailbox");
      registration.after(made);
      return made;
    } catch (error) {
      // Another code of theirs made it meanwhile.
      if (!isPosternError(error) || error.code !== "conflict") throw error;
      return findCodeAccount(data, connection, address);
    }
  }
  if (channel === "sms") return provePhone(environment, data, known, false);
  const proof = { byMaker: false };
  // Of an account that changed since it was read, the address is proven once more.
  const proven = await proveEmailOf(environment, data, known, proof);
  if (proven !== undefined) return proven;
  const again = await findCodeAccount(data, connection, address);
  return again && proveEmailOf(environment, data, again, proof);
}
