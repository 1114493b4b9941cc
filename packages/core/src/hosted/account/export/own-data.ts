import { clientNameOf } from "../../../branding/client-name.ts";
import { organizationsOf } from "../../../identity/organizations/members.ts";
import { findOwnSessions } from "../../../identity/sessions/own-sessions.ts";
import { linkedAccounts } from "../../../identity/users/linked-accounts.ts";
import { toTimestamp } from "../../../model/fields.ts";
import { toDevice } from "../../../model/sessions/devices.ts";
import { claimMembers } from "../../../model/users/standard-claims.ts";
import { toLinkedIdentities } from "../../../model/users/users.ts";
import type { RequestTenant } from "../../../tenants/tenant.ts";
import { findOwnGrants } from "../../../tokens/own-grants.ts";
import { ownEventTypes } from "../events/section.ts";
import type { AccountVisit } from "../visit.ts";
import { findOwnAccess } from "./own-access.ts";

/** The number of events that the data contain, the newest ones. */
const maximumEvents = 1000;

/**
 * Collects the data about a user that the user may have: what the sections of the page show, and the whole profile. They
 * contain no password hash, key or secret of a factor, no token and no `app_metadata`, which belong to the application.
 */
export async function collectOwnData({ tenant, user, factors }: Pick<AccountVisit, "tenant" | "user" | "factors">): Promise<object> {
  const { data } = tenant;
  const { user_id: userId } = user;
  const [linked, organizations, access, sessions, grants, events] = await Promise.all([
    user.linked_count === 0 ? [] : linkedAccounts(data, [userId]),
    organizationsOf(data, userId),
    findOwnAccess(tenant, userId),
    findOwnSessions(tenant, userId),
    findOwnGrants(tenant, userId),
    data.logs.find({
      where: { user_id: userId, type: { in: ownEventTypes } },
      orderBy: { fields: ["log_id"], direction: "desc" },
      limit: maximumEvents,
    }),
  ]);
  return {
    exported_at: toTimestamp(tenant.now()),
    profile: profileOf(user),
    identities: toLinkedIdentities(user, linked),
    organizations: organizations.map(({ id, name, display_name: shown }) => ({ id, name, display_name: shown, roles: access.rolesIn(id) })),
    roles: access.rolesIn(""),
    permissions: access.permissions,
    authentication_methods: factors.map(({ type, name, address, created_at: created, last_used_at: used }) => ({
      type,
      name,
      address,
      created_at: toTimestamp(created),
      last_used_at: used === null ? null : toTimestamp(used),
    })),
    sessions: sessions.map(({ session, usedAt }) => {
      const { last_ip: ip, last_user_agent: userAgent } = toDevice(session.device);
      return { created_at: toTimestamp(session.created_at), last_used_at: toTimestamp(usedAt), ip, user_agent: userAgent };
    }),
    apps: await Promise.all(grants.map((grant) => toApp(tenant, grant))),
    events: events.map(({ date, type, description, ip, user_agent: userAgent, client_name: client }) => ({
      date: toTimestamp(date),
      type,
      description,
      ip,
      user_agent: userAgent,
      app: client,
    })),
  };
}

function profileOf(user: AccountVisit["user"]): object {
  const { user_id, email, email_verified, username, phone_number, phone_verified, name, nickname, given_name, family_name, picture } = user;
  return {
    user_id,
    email,
    email_verified,
    username,
    phone_number,
    phone_verified,
    name,
    nickname,
    given_name,
    family_name,
    picture,
    ...claimMembers(user),
    user_metadata: user.user_metadata,
    created_at: toTimestamp(user.created_at),
    updated_at: toTimestamp(user.updated_at),
    last_login: user.last_login === 0 ? null : toTimestamp(user.last_login),
    logins_count: user.logins_count,
  };
}

async function toApp(
  tenant: RequestTenant,
  { clientId, scope, since }: Awaited<ReturnType<typeof findOwnGrants>>[number],
): Promise<object> {
  const client = await tenant.client(clientId);
  return { client_id: clientId, name: (client && clientNameOf(client)) ?? null, scope, access_since: toTimestamp(since) };
}
