import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { isPosternError } from "../../errors.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import type { AuditEvent } from "../audit.ts";
import type { Environment } from "../environment.ts";
import { linkUpstream } from "../users/link-upstream.ts";
import { proveEmail } from "../users/prove-email.ts";
import { findUpstreamAccount, makeUpstreamAccount, refreshUpstreamAccount, subjectKey } from "../users/upstream-account.ts";
import { dropTokensOfNobody, keepsTokens, keepTokens, type UpstreamTokens } from "../upstream/upstream-tokens.ts";
import { recordLogin } from "./record-login.ts";

type User = Row<"users">;

/** A sign-in of somebody whom an identity provider vouches for. */
export interface UpstreamTry {
  readonly environment: Environment;
  readonly data: TenantData;
  readonly connection: Row<"connections">;
  /** Who the provider says it is. */
  readonly profile: UpstreamProfile;
  /** What the provider gave for them. */
  readonly tokens: UpstreamTokens;
  /** Whether the client offers a connection, by its name: accounts of the same address count where it does. */
  offers(connection: string): Promise<boolean>;
  /** The true client's address, where the host told it. */
  readonly ip: string | undefined;
  /** Begins the session of a primary account that was proved by one of its accounts. Where the login does not come about after all, the caller takes it back. */
  begin(userId: string, account: User): Promise<unknown>;
}

/** What came of it. `events` are to be put on record by the caller, who adds the client. */
export type UpstreamLogin = { readonly events: readonly AuditEvent[] } & (
  | { readonly kind: "signed-in"; readonly user: User; readonly account: User }
  /** An account of ours has the address, and nothing shows that it is the same person's: they sign in to it, and then it is linked. */
  | {
      readonly kind: "account-exists";
      /** The id of that account; left out where several have the address. */
      readonly accountId?: string;
    }
  /** The connection makes no accounts. */
  | { readonly kind: "closed" }
  | { readonly kind: "blocked" }
);

/**
 * Signs somebody in by what an identity provider says of them. The account is known by who they are there, and by nothing else: an address is what a provider says of it, and may be another's.
 *
 * A first login makes an account, or is linked to one of the same address where both sides are proven: the provider gives out the address itself and says that it is theirs. An account of ours
 * whose address nobody has proved is theirs from then on, without what its maker chose (`proveEmail`). Anything less is asked.
 */
export async function signInUpstream(request: UpstreamTry): Promise<UpstreamLogin> {
  const { environment, data, connection, profile, tokens } = request;
  const known = await findUpstreamAccount(data, connection, profile.subject);
  const found =
    known === undefined
      ? await firstLogin(request)
      : { account: await refreshUpstreamAccount(environment, data, connection, known, profile), events: [] };
  if ("kind" in found) return found;
  const { account, events } = found;
  const linked = account.linked_to !== "";
  const [primary] = linked ? await data.users.find({ where: { user_id: account.linked_to }, limit: 1 }) : [account];
  const blocked = (): UpstreamLogin => ({
    kind: "blocked",
    events: [...events, { type: "f", description: "The user is blocked.", ...parties(connection, primary ?? account) }],
  });
  if (primary === undefined || primary.blocked || account.blocked) return blocked();
  // Before the login is decided: who removes the account after that removes these with it.
  const kept = keepsTokens(connection) ? keepTokens(environment, data, account.user_id, tokens) : undefined;
  await Promise.all([request.begin(primary.user_id, account), kept]);
  const [user] = await Promise.all([recordLogin(request, primary, account), clearFailures(data, primary.user_id)]);
  if (user === undefined) {
    await dropTokensOfNobody(data, account.user_id);
    return blocked();
  }
  return { kind: "signed-in", user, account: linked ? account : user, events: [...events, { type: "s", ...parties(connection, user) }] };
}

async function firstLogin(
  request: UpstreamTry,
): Promise<
  { readonly account: User; readonly events: readonly AuditEvent[] } | Extract<UpstreamLogin, { kind: "account-exists" | "closed" }>
> {
  const { environment, data, connection, profile } = request;
  const [owners, key] = [await accountsOf(request), await subjectKey(profile.subject)];
  // One that a login beside this one made meanwhile has the address as well, and is their own.
  const own = owners.find((user) => user.connection === connection.name && user.subject_key === key);
  if (own !== undefined) return { account: own, events: [] };
  const [owner, ...others] = owners;
  const proven = profile.emailVerified && profile.emailOwned;
  if (owner !== undefined && others.length === 0 && proven) {
    const linked = await linkProven(request, owner);
    if (linked !== undefined) return linked;
  }
  if (owner !== undefined) {
    const reason = proven
      ? "several accounts have it"
      : profile.emailVerified
        ? "the provider does not give out such addresses"
        : "the provider does not say that it is theirs";
    const description = `An account has the address, and is not linked by it: ${reason}. The person is asked to sign in to it.`;
    return {
      kind: "account-exists",
      ...(others.length === 0 && { accountId: owner.user_id }),
      events: [{ type: "w", description, ...parties(connection, owner) }],
    };
  }
  if (connection.options["disable_signup"] === true) {
    const description = "The connection makes no accounts.";
    return {
      kind: "closed",
      events: [{ type: "fs", description, ...parties(connection, { user_id: "", name: profile.email ?? profile.subject }) }],
    };
  }
  const { account, made } = await makeUpstreamAccount(environment, data, connection, profile);
  return { account, events: made ? [{ type: "ss", ...parties(connection, account) }] : [] };
}

/** The users who have the address of a profile, of the connections that the client offers. */
async function accountsOf({ data, profile: { email = "" }, offers }: UpstreamTry): Promise<readonly User[]> {
  if (email === "") return [];
  const users = await data.users.find({ where: { email: email.toLowerCase(), linked_to: "" }, limit: 50 });
  const offered = await Promise.all(users.map(({ connection }) => offers(connection)));
  return users.filter((_, place) => offered[place]);
}

/** Links to the account of an address that both sides have proved. @returns undefined where it changed meanwhile. */
async function linkProven(
  { environment, data, connection, profile }: UpstreamTry,
  owner: User,
): Promise<{ readonly account: User; readonly events: readonly AuditEvent[] } | undefined> {
  const byMaker = owner.email_verified;
  if (!(await proveEmail(environment, data, { userId: owner.user_id, email: owner.email, byMaker }))) return undefined;
  try {
    const account = await linkUpstream(environment, data, connection, profile, owner);
    const how = byMaker ? "which was verified" : "which nobody had verified: what its maker chose is gone";
    const description = `Linked to the account of the same address, ${how}. The provider gives out the address itself.`;
    return { account, events: [{ type: "w", description, ...parties(connection, owner) }] };
  } catch (error) {
    if (!isPosternError(error) || error.code !== "conflict") throw error;
    return undefined;
  }
}

function parties(
  { id, name, strategy }: Row<"connections">,
  user: Pick<User, "user_id" | "name">,
): Pick<AuditEvent, "connection" | "user"> {
  return { connection: { id, name, strategy }, user: { user_id: user.user_id, name: user.name } };
}
