import { PosternError } from "../../../errors.ts";
import { clientOf, type AuthorizationCheck } from "./check.ts";

/**
 * Finds the requested organization, by ID or by name. The client's `organization_usage` requires, allows or denies an
 * organization.
 */
export const checkOrganization: AuthorizationCheck = async (checked) => {
  const { organization: named } = checked.sent;
  // The invitation selects the organization.
  if (checked.request.invitation !== undefined) return;
  const { record, settings } = clientOf(checked);
  if (named === undefined) {
    if (record.organization_usage !== "require") return;
    // The other two values prompt the user after the login: the page lists the organizations that the user is a member
    // of.
    if ((settings.organization_require_behavior ?? "no_prompt") === "no_prompt") {
      throw new PosternError("invalid_request", "'organization' is missing: the client requires one");
    }
    checked.request.choose_organization = true;
    return;
  }
  if (record.organization_usage === "deny") throw new PosternError("invalid_request", "'organization' is not allowed for this client");
  const organization = await checked.tenant.organization(named);
  if (organization === undefined) throw new PosternError("invalid_request", "'organization' is unknown");
  checked.request.organization = { id: organization.id, by_name: named !== organization.id };
};
