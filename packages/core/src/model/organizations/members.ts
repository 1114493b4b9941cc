import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { toRoleUser } from "../apis/roles.ts";

/** A member of an organization. */
export const organizationMemberSchema = z
  .strictObject({
    user_id: z.string(),
    name: z.string().exactOptional(),
    email: z.string().exactOptional(),
    picture: z.string().exactOptional(),
    roles: z
      .array(z.strictObject({ id: z.string(), name: z.string() }))
      .exactOptional()
      .meta({ description: "The member's roles in the organization. Returned only if `fields` contains `roles`" }),
  })
  .meta({ id: "OrganizationMember" });

/** The body of a request that adds or removes members. */
export const memberListSchema = z
  .strictObject({ members: z.array(z.string().min(1).max(255)).min(1).max(1000) })
  .meta({ id: "MemberList" });

/** Converts the user row of a member to the Management API format. */
export function toOrganizationMember(
  user: Row<"users">,
  roles: readonly Row<"roles">[] | undefined,
): z.infer<typeof organizationMemberSchema> {
  return { ...toRoleUser(user), ...(roles && { roles: roles.map(({ id, name }) => ({ id, name })) }) };
}
