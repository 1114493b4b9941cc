import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { emailProofOf, isProvenByOwner, isUnproven } from "../../model/users/email-proof.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import type { AuditEvent } from "../audit.ts";
import type { Environment } from "../environment.ts";
import { isLinkRefusal, linkUpstream } from "../users/link-upstream.ts";
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
  /** What the provider gave for them. Left out: nothing that is to be stored. */
  readonly tokens?: UpstreamTokens;
  /** The user wants an account of their own, although another account has the address: nothing is linked. Default: false. */
  readonly ownAccount?: boolean;
  /** Whether the client offers a connection, by its name: accounts of the same address count where it does. */
  offers(connection: string): Promise<boolean>;
  /** The true client's address, where the host told it. */
  readonly ip: string | undefined;
  /** Begins the session of a primary account that was proved by one of its accounts. Where the login does not come about after all, the caller takes it back. */
  begin(userId: string, account: User): Promise<unknown>;
}

/** What came of it. `events` are to be put on record by the caller, who adds the client. */
export type UpstreamLogin = { readonly events: readonly AuditEvent[] } & (
  | {
      readonly kind: "signed-in";
      readonly user: User;
      readonly account: User;
      /** This login linked the account to the user. */
      readonly linked?: true;
    }
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
 * The first login creates an account, or links to the account that has the same address. It links without a question only if both sides are proven: the provider
 * is authoritative for the address and says that it is verified, and the other account was proven by its mailbox or by an authoritative provider. An account
 * whose address was never proven belongs to the user from then on, without what its creator chose (`proveEmail`). In all other cases the user decides.
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
  const newlyLinked = "newlyLinked" in found;
  const linked = account.linked_to !== "";
  const [primary] = linked ? await data.users.find({ where: { user_id: account.linked_to }, limit: 1 }) : [account];
  const blocked = (): UpstreamLogin => ({
    kind: "blocked",
    events: [...events, { type: "f", description: "The user is blocked.", ...parties(connection, primary ?? account) }],
  });
  if (primary === undefined || primary.blocked || account.blocked) return blocked();
  // Before the login is decided: who removes the account after that removes these with it.
  const kept = tokens !== undefined && keepsTokens(connection) ? keepTokens(environment, data, account.user_id, tokens) : undefined;
  await Promise.all([request.begin(primary.user_id, account), kept]);
  const [user] = await Promise.all([recordLogin(request, primary, account), clearFailures(data, primary.user_id)]);
  if (user === undefined) {
    await dropTokensOfNobody(data, account.user_id);
    return blocked();
  }
  return {
    kind: "signed-in",
    user,
    account: linked ? account : user,
    ...(newlyLinked && { linked: true }),
    events: [...events, { type: "s", ...parties(connection, user) }],
  };
}

/** The account of a first login. */
interface FirstAccount {
  readonly account: User;
  readonly events: readonly AuditEvent[];
  /** The account was linked to a user now. */
  readonly newlyLinked?: true;
}

async function firstLogin(request: UpstreamTry): Promise<FirstAccount | Extract<UpstreamLogin, { kind: "account-exists" | "closed" }>> {
  const { environment, data, connection, profile, ownAccount = false } = request;
  const [owners, key] = [ownAccount ? [] : await accountsOf(request), await subjectKey(profile.subject)];
  // One that a login beside this one made meanwhile has the address as well, and is their own.
  const own = owners.find((user) => user.connection === connection.name && user.subject_key === key);
  if (own !== undefined) return { account: own, events: [] };
  const [owner, ...others] = owners;
  if (owner !== undefined) {
    const reason = others.length > 0 ? "several accounts have it" : reasonToAsk(profile, owner);
    const linked = reason === undefined ? await linkProven(request, owner) : undefined;
    if (linked !== undefined) return linked;
    const description = `An account has the address, and is not linked by it: ${reason ?? "it changed meanwhile"}. The user decides.`;
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

/** Why the account that has the address is not linked without a question; undefined if both sides are proven. For the audit log. */
function reasonToAsk(profile: UpstreamProfile, owner: User): string | undefined {
  if (!profile.emailVerified) return "the provider does not say that it is verified";
  if (!profile.emailOwned) return "the provider is not authoritative for it";
  // A mail that came back says nothing of who signs in at the other provider: only that provider, if it is authoritative, does.
  if (owner.subject_key !== null && emailProofOf(owner) !== "provider") return "the account's own provider is not authoritative for it";
  if (isProvenByOwner(owner)) return undefined;
  if (!isUnproven(owner)) return "an administrator says that it is theirs, and they did not prove it yet";
  // Of an account that the address does not lead into, a takeover would leave nothing: it belongs to whoever signs in to it.
  return owner.email_key === null ? "the account signs in by another identifier, and its address was never proven" : undefined;
}

/** The users who have the address of a profile, of the connections that the client offers. */
async function accountsOf({ data, profile: { email = "" }, offers }: UpstreamTry): Promise<readonly User[]> {
  if (email === "") return [];
  const users = await data.users.find({ where: { email: email.toLowerCase(), linked_to: "" }, limit: 50 });
  const offered = await Promise.all(users.map(({ connection }) => offers(connection)));
  return users.filter((_, place) => offered[place]);
}

/** Links to the account of a proven address. @returns undefined if the account changed meanwhile, or cannot be linked. */
async function linkProven({ environment, data, connection, profile }: UpstreamTry, owner: User): Promise<FirstAccount | undefined> {
  const byOwner = isProvenByOwner(owner);
  const proof = { userId: owner.user_id, email: owner.email, kind: "provider", byMaker: false } as const;
  if (!byOwner && !(await proveEmail(environment, data, proof))) return undefined;
  const [user] = byOwner ? [owner] : await data.users.find({ where: { user_id: owner.user_id }, limit: 1 });
  if (user === undefined) return undefined;
  try {
    const account = await linkUpstream(environment, data, connection, profile, user);
    const how = byOwner ? "which was proven" : "which was never proven: what its creator chose is gone";
    const description = `Linked to the account of the same address, ${how}. The provider is authoritative for the address.`;
    return { account, newlyLinked: true, events: [{ type: "w", description, ...parties(connection, owner) }] };
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    return undefined;
  }
}

function parties(
  { id, name, strategy }: Row<"connections">,
  user: Pick<User, "user_id" | "name">,
): Pick<AuditEvent, "connection" | "user"> {
  return { connection: { id, name, strategy }, user: { user_id: user.user_id, name: user.name } };
}
