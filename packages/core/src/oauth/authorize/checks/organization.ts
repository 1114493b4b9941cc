import { namedOrganization, organizationMissing, requiresOrganization } from "../../../authorization/organization.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/**
 * Finds the requested organization, by ID or by name. The client's `organization_usage` requires, allows or denies an
 * organization.
 */
export const checkOrganization: AuthorizationCheck = async (checked) => {
  const { organization: named } = checked.sent;
  // The invitation selects the organization.
  if (checked.request.invitation !== undefined) return;
  const client = clientOf(checked);
  if (named === undefined) {
    if (!requiresOrganization(client)) return;
    // The other two values prompt the user after the login: the page lists the organizations that the user is a member
    // of.
    if ((client.settings.organization_require_behavior ?? "no_prompt") === "no_prompt") throw organizationMissing();
    checked.request.choose_organization = true;
    return;
  }
  const organization = await namedOrganization(checked.tenant, client, named);
  checked.request.organization = { id: organization.id, by_name: named !== organization.id };
};
