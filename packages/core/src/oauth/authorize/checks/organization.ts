import { PosternError } from "../../../errors.ts";
import { clientOf, type Check } from "./check.ts";

/** The organization to sign in as a member of, by id or by name: as the client's `organization_usage` has it. */
export const checkOrganization: Check = async (checked) => {
  const { organization: named } = checked.sent;
  // An invitation names it.
  if (checked.request.invitation !== undefined) return;
  const { record, settings } = clientOf(checked);
  if (named === undefined) {
    if (record.organization_usage !== "require") return;
    // Both prompts are the same page here: it can only offer what the person is a member of once it is known who they are.
    if ((settings.organization_require_behavior ?? "no_prompt") === "no_prompt") {
      throw new PosternError("invalid_request", "'organization' is missing: the client requires one");
    }
    checked.request.choose_organization = true;
    return;
  }
  if (record.organization_usage === "deny") throw new PosternError("invalid_request", "'organization': the client does not take one");
  const organization = await checked.tenant.organization(named);
  if (organization === undefined) throw new PosternError("invalid_request", "'organization' is unknown");
  checked.request.organization = { id: organization.id, by_name: named !== organization.id };
};
