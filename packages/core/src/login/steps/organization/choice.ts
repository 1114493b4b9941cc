import type { Row } from "../../../data/schema.ts";
import { addMember, isMember, organizationsOf } from "../../../domain/organizations/members.ts";
import { PosternError } from "../../../errors.ts";
import { organizationLook } from "../../../model/organizations/branding.ts";
import type { SelectOrganizationScreen } from "../../screen.ts";
import type { SignedIn, Visit } from "../../interaction.ts";

/** As a member of which organization a person goes on: one, none, or what they are to choose from. */
export type OrganizationChoice =
  | { readonly kind: "decided"; readonly organization: Row<"organizations"> | undefined }
  /** The organization wants them to sign in by another connection. */
  | { readonly kind: "sign-in" }
  | { readonly kind: "choose"; readonly screen: SelectOrganizationScreen };

/**
 * Decides the organization of one request. It belongs to the request and never to the session, so that two tabs may be two organizations.
 * @throws {PosternError} `access_denied` for who is no member.
 */
export async function decideOrganization(visit: Visit, signedIn: SignedIn): Promise<OrganizationChoice> {
  const { tenant, demands } = visit;
  const named = demands.organization;
  if (named !== undefined) {
    const organization = await tenant.organization(named.id);
    if (organization === undefined) throw new PosternError("access_denied", "the organization is gone");
    return enter(visit, signedIn, organization);
  }
  if (demands.choose_organization !== true) return { kind: "decided", organization: undefined };

  const { user } = signedIn;
  const all = await organizationsOf(tenant.data, user.user_id);
  const chosen = all.find(({ id }) => id === visit.progress.organization_id) ?? (all.length === 1 ? all[0] : undefined);
  if (chosen !== undefined) return enter(visit, signedIn, chosen);
  if (all.length === 0) throw new PosternError("access_denied", "the person is a member of no organization");
  const account = user.email || user.name || user.user_id;
  const organizations = all.map((row) => ({ id: row.id, ...organizationLook(row) }));
  return { kind: "choose", screen: { name: "select-organization", account, organizations } };
}

async function enter(visit: Visit, { user, session }: SignedIn, organization: Row<"organizations">): Promise<OrganizationChoice> {
  const { tenant, client } = visit;
  const { data, environment } = tenant;
  if (!(await tenant.admits(client, session.connection_id, organization.id))) return { kind: "sign-in" };

  const enabled = await tenant.organizationConnections(organization.id);
  const connection = enabled.find(({ connection_id: id }) => id === session.connection_id);
  if (await isMember(data, organization.id, user.user_id)) return { kind: "decided", organization };
  if (connection?.assign_membership_on_login !== true) {
    throw new PosternError("access_denied", `the person is no member of the organization '${organization.id}'`);
  }
  if (await addMember(environment, data, organization.id, user.user_id)) {
    const { id, name } = organization;
    await tenant.audit({
      type: "organization_member_added",
      description: "The organization makes everybody a member who signs in by this connection.",
      organization: { id, name },
      user: { user_id: user.user_id, name: user.name },
    });
  }
  return { kind: "decided", organization };
}
