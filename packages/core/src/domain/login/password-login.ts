import type { RateLimiter } from "../../adapters/rate-limit.ts";
import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { PosternError } from "../../errors.ts";
import type { AttackProtection } from "../../model/tenant/attack-protection.ts";
import { limitLogin } from "../attack-protection/rate-limit.ts";
import type { Wait } from "../attack-protection/wait.ts";
import type { AuditEvent } from "../audit.ts";
import type { Environment } from "../environment.ts";
import { bringOver, type BringingOver, type BroughtOver } from "../users/bring-over.ts";
import { checkPassword, rehashPassword } from "./check-password.ts";
import { findAccount, readIdentifier } from "./identifier.ts";
import { loginEvents, type Attempt } from "./login-events.ts";
import { recordLogin } from "./record-login.ts";
import { reserveLogin } from "./reserve-login.ts";

/** One try to log in with a password. */
export interface PasswordTry {
  readonly environment: Environment;
  readonly data: TenantData;
  readonly tenantId: string;
  /** A password database (strategy `auth0`). */
  readonly connection: Row<"connections">;
  /** An email address, a username or a phone number, as it was typed. */
  readonly identifier: string;
  readonly password: string;
  /** Stands for one form and what was typed in it, if a form was sent: however often it is sent, it counts as one try. */
  readonly form?: string | undefined;
  /** The true client's address, where the host told it. */
  readonly ip: string | undefined;
  readonly protection: AttackProtection;
  /** The host's; without one the limits by address do not run. */
  readonly limiter: RateLimiter | undefined;
  readonly wait: Wait;
  /**
   * Begins the session, before the login is written down and so decided: whoever takes the password away from the account meanwhile finds the session and ends it.
   * Where the login does not come about after all, the caller takes it back.
   * @param userId of the primary account.
   * @param account the one that the password belongs to.
   */
  begin(userId: string, account: Row<"users">): Promise<unknown>;
}

/** What came of a try. `events` are to be put on record by the caller, who adds the client: first the try itself. */
export type PasswordLogin = { readonly events: readonly AuditEvent[] } & (
  | {
      readonly kind: "signed-in";
      /** The primary account, this login included. */
      readonly user: Row<"users">;
      /** The account that the password belongs to: the primary, or one that is linked to it. */
      readonly account: Row<"users">;
    }
  | { readonly kind: "wrong-credentials" }
  /** Three failures within five minutes: no password is looked at. */
  | { readonly kind: "throttled" }
  /** The form was sent before, and its password was wrong. */
  | { readonly kind: "repeated" }
  /** The password is right, and an administrator blocked the account. */
  | { readonly kind: "blocked" }
  /** Too many tries from the address. */
  | { readonly kind: "refused"; readonly error: PosternError }
);

/** A `passwords.id` that no row has: so an unknown identifier costs the same statements. */
const noPassword = "none";

/**
 * Logs in with a password (spec sections 3, 7 and 8). The session is the caller's to make.
 *
 * Unknown users, wrong passwords and throttled accounts take the same time: each costs one hash. A throttled try hashes for nothing, so guessing at one account
 * costs the service no less than guessing at many; what bounds both is the hasher's queue, whose overflow is a 503 for every caller alike,
 * and the limit by address.
 *
 * A right password takes five statements in three legs besides the session, and one or two more for a linked account.
 *
 * @throws {PosternError} `server_error` for a hash that this runtime cannot verify.
 * @throws {BusyError} when too many passwords are waiting to be hashed.
 */
export async function signInWithPassword(request: PasswordTry): Promise<PasswordLogin> {
  const { environment, data, connection, password } = request;
  const limit = await limitLogin(request, request.tenantId, request.ip, request.protection.suspicious_ip_throttling);
  const noted = limit.event === undefined ? [] : [limit.event];
  if (limit.refusal !== undefined) return { kind: "refused", error: limit.refusal, events: noted };

  const identifier = readIdentifier(connection, request.identifier);
  const known = await findAccount(data, connection, identifier);
  const linked = known !== undefined && known.linked_to !== "";
  const primaryId = linked ? known.linked_to : known?.user_id;
  const [reserved, [kept], [found]] = await Promise.all([
    reserveLogin(request, primaryId, identifier.text),
    data.passwords.find({ where: { id: known?.password_id ?? noPassword }, limit: 1 }),
    linked ? data.users.find({ where: { user_id: known.linked_to }, limit: 1 }) : [known],
  ]);
  if (reserved === "repeated") return { kind: "repeated", events: noted };
  if (reserved === "throttled") {
    await environment.hasher.verifyNothing(password, data.tenantId);
    return { kind: "throttled", events: [loginEvents.throttled({ connection, identifier, user: found }), ...noted] };
  }

  // What cannot be given back expires; the fault is what must be told.
  const giveBack = async (error: unknown): Promise<never> => {
    await reserved.giveBack().catch(() => {});
    throw error;
  };
  const brought = await askSource({ environment, data, connection, identifier }, known, password).catch(giveBack);
  const { account, stored } = brought ?? { account: known, stored: kept };
  const primary = brought?.account ?? found;
  const attempt: Attempt = { connection, identifier, user: primary };
  const verdict = await checkPassword(environment, data, primary && stored, password).catch(giveBack);
  if (verdict === "no-match" || account === undefined || primary === undefined || stored === undefined) {
    const engaged = (await reserved.fail()) ? [loginEvents.throttleEngaged(attempt)] : [];
    return { kind: "wrong-credentials", events: [loginEvents.wrongPassword(attempt), ...engaged, ...noted] };
  }
  if (primary.blocked || account.blocked) {
    await reserved.giveBack();
    return { kind: "blocked", events: [loginEvents.blocked(attempt), ...noted] };
  }

  await request.begin(primary.user_id, account);
  const [user] = await Promise.all([
    recordLogin(request, primary, account),
    reserved.clear(),
    verdict === "match-rehash" && rehashPassword(environment, data, stored, password),
  ]);
  if (user !== undefined)
    return { kind: "signed-in", user, account: linked ? account : user, events: [loginEvents.succeeded(attempt), ...noted] };
  const [changed] = await data.users.find({ where: { user_id: primary.user_id }, limit: 1 });
  return changed?.blocked === true
    ? { kind: "blocked", events: [loginEvents.blocked(attempt), ...noted] }
    : { kind: "wrong-credentials", events: [loginEvents.wrongPassword(attempt), ...noted] };
}

/** Asks the database that people come from, where the host has one: see `bringOver`, which others need not load. */
async function askSource(at: BringingOver, known: Row<"users"> | undefined, password: string): Promise<BroughtOver | undefined> {
  if (at.environment.userSource === undefined) return undefined;
  return bringOver(at, known, password);
}
