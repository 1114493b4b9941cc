import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { accountSubject, clearFailures } from "../../identity/attack-protection/login-attempts.ts";
import { readTries, attemptState } from "../../identity/attack-protection/tries.ts";
import { foldEmail } from "../../model/email-address.ts";
import { attackProtectionSettings } from "../../model/tenant/attack-protection.ts";
import { queryBooleanSchema } from "../../model/fields.ts";
import { readPhoneNumber } from "../../model/phone-number.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { findPrimary, noSuchUser } from "./find-user.ts";

/**
 * The blocks of a user after too many failed logins. Failed logins count for the whole account, so the list has at most
 * one entry.
 */
const userBlocksSchema = z
  .strictObject({ blocked_for: z.array(z.strictObject({ identifier: z.string(), connection: z.string() })) })
  .meta({ id: "UserBlocks" });

const byIdentifierSchema = z.strictObject({
  identifier: z.string().min(1).max(320),
  consider_brute_force_enablement: queryBooleanSchema.exactOptional(),
});
const optionsSchema = z.strictObject({ consider_brute_force_enablement: queryBooleanSchema.exactOptional() });
const missing = { 404: "inexistent_user" } as const;

/** The routes that return and remove the temporary blocks of users. */
export const userBlocks = [
  route({
    method: "GET",
    path: "/api/v2/user-blocks",
    operation: "userBlocks.getByIdentifier",
    summary: "Get the blocks of a user after failed logins, by identifier",
    scopes: ["read:users"],
    query: byIdentifierSchema,
    responses: { 200: userBlocksSchema, ...missing },
  })(async ({ query }, { tenant }) => blocksOf(tenant, await findByIdentifier(tenant, query.identifier))),
  route({
    method: "DELETE",
    path: "/api/v2/user-blocks",
    operation: "userBlocks.deleteByIdentifier",
    summary: "Unblock a user by identifier",
    scopes: ["update:users"],
    query: byIdentifierSchema,
    responses: { 204: null, ...missing },
  })(async ({ query }, { tenant }) => clearFailures(tenant.data, (await findByIdentifier(tenant, query.identifier)).user_id)),
  route({
    method: "GET",
    path: "/api/v2/user-blocks/:id",
    summary: "Get the blocks of a user after failed logins",
    scopes: ["read:users"],
    query: optionsSchema,
    responses: { 200: userBlocksSchema, ...missing },
  })(async ({ params }, { tenant }) => blocksOf(tenant, await findPrimary(tenant, params.id))),
  route({
    method: "DELETE",
    path: "/api/v2/user-blocks/:id",
    summary: "Unblock a user",
    scopes: ["update:users"],
    responses: { 204: null, ...missing },
  })(async ({ params }, { tenant }) => clearFailures(tenant.data, (await findPrimary(tenant, params.id)).user_id)),
];

/** Returns a user by email address, username or phone number, in any connection. */
async function findByIdentifier(tenant: RequestTenant, identifier: string): Promise<Row<"users">> {
  const folded = foldEmail(identifier.trim());
  const phone = await readPhoneNumber(identifier);
  const wheres = [{ email_key: folded }, { username_key: folded }, { phone_key: "number" in phone ? phone.number : folded }];
  for (const { name } of await tenant.connections.withLocalAccounts()) {
    for (const where of wheres) {
      const account = await findOne(tenant.data.users, { connection: name, ...where });
      if (account !== undefined) return account.linked_to === "" ? account : findPrimary(tenant, account.linked_to);
    }
  }
  throw noSuchUser();
}

async function blocksOf(tenant: RequestTenant, user: Row<"users">): Promise<z.input<typeof userBlocksSchema>> {
  const attempts = await findOne(tenant.data.login_attempts, { subject_hash: await accountSubject(user.user_id) });
  const { max_attempts: maxAttempts } = attackProtectionSettings(tenant.record).brute_force_protection;
  const throttled = attempts !== undefined && attemptState(readTries(attempts.attempts, tenant.now()), maxAttempts) === "throttled";
  const identifier = user.email || user.username || user.phone_number || user.user_id;
  return { blocked_for: throttled ? [{ identifier, connection: user.connection }] : [] };
}
