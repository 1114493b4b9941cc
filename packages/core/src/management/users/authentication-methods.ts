import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import {
  confirmedFactors,
  storeFactor,
  findFactor,
  findFactors,
  isPendingFactor,
  removeAllFactors,
  removeFactor,
  updateFactor,
  type Factor,
  type NewFactor,
} from "../../identity/factors/factors.ts";
import { importTotpSecret } from "../../identity/factors/totp.ts";
import { importCredential, type CredentialValues } from "../../identity/webauthn/credential.ts";
import { invalidBody } from "../../model/settings.ts";
import {
  userAuthenticationMethodSchema,
  createAuthenticationMethodSchema,
  replaceAuthenticationMethodsSchema,
  toAuthenticationMethod,
  updateAuthenticationMethodSchema,
} from "../../model/users/authentication-methods.ts";
import { route, type ManagementContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Row } from "../../store/schema.ts";
import { grantsScopes, requireRightsOfUser } from "../authority.ts";
import { pageReply } from "../kit/slice.ts";
import { findPrimary } from "./find-user.ts";
import { reportFactorChange } from "./report-factor-change.ts";

const path = "/api/v2/users/:id/authentication-methods";
const onePath = `${path}/:authentication_method_id` as const;
const missing = { 404: "inexistent_user" } as const;
const conflict = { 409: { error: "conflict" } } as const;

/**
 * The routes for the second factors and passkeys of a user. Adding or removing one requires every Management API scope
 * that the user has, because it decides how the user authenticates.
 */
export const userAuthenticationMethods = [
  route({
    method: "GET",
    path,
    summary: "List a user's authentication methods",
    description: "The second factors and passkeys of the user, with those that wait for their first use. Oldest first.",
    scopes: ["read:authentication_methods"],
    query: pageQuerySchema,
    responses: { 200: listResponse("authenticators", userAuthenticationMethodSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const user = await findPrimary(tenant, params.id);
    const methods = (await findFactors(tenant.data, user)).filter((factor) => isListed(tenant, factor)).map(toAuthenticationMethod);
    return pageReply(tenant, query, methods, { key: "authenticators", list: ["authentication_methods", user.user_id] });
  }),
  route({
    method: "POST",
    path,
    summary: "Add an authentication method to a user",
    description:
      "The method is confirmed at once, also if the tenant does not enable the factor. The user can then be required to use it, so make sure that the user has it.",
    scopes: ["create:authentication_methods"],
    furtherScopes: [grantsScopes],
    body: createAuthenticationMethodSchema,
    responses: { 201: userAuthenticationMethodSchema, ...missing, ...conflict },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const user = await findPrimary(tenant, params.id);
    await requireRightsOfUser(context, user.user_id);
    const factor = await toNewFactor(tenant, body);
    requireNewAddress(confirmedFactors(await findFactors(tenant.data, user)), factor);
    const added = await storeFactor(tenant, user, { ...factor, by: "administrator" });
    await reportFactorChange(tenant, user, "added", [added]);
    return toAuthenticationMethod(added);
  }),
  route({
    method: "PUT",
    path,
    summary: "Replace a user's authentication methods",
    description:
      "Adds the methods in the body, each confirmed at once, and removes all others, with passkeys and the recovery code. With an empty list, the user has no method afterwards.",
    scopes: ["update:authentication_methods"],
    furtherScopes: [grantsScopes],
    body: replaceAuthenticationMethodsSchema,
    responses: { 200: z.array(userAuthenticationMethodSchema), ...missing, ...conflict },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const user = await findPrimary(tenant, params.id);
    await requireRightsOfUser(context, user.user_id);
    const factors = await Promise.all(body.map((method) => toNewFactor(tenant, method)));
    for (const [index, factor] of factors.entries()) requireNewAddress(factors.slice(0, index), factor);
    const before = await findFactors(tenant.data, user);
    const added: Factor[] = [];
    // The new methods are added first, so that a failure between two writes does not leave the user without a factor.
    for (const factor of factors) added.push(await storeFactor(tenant, user, { ...factor, by: "administrator" }));
    const removed: Factor[] = [];
    for (const factor of before) if (await removeFactor(tenant, user.user_id, factor.id)) removed.push(factor);
    await reportFactorChange(tenant, user, "added", added);
    await reportFactorChange(tenant, user, "removed", removed);
    return added.map(toAuthenticationMethod);
  }),
  route({
    method: "DELETE",
    path,
    operation: "users.authenticationMethods.deleteAll",
    summary: "Remove all authentication methods of a user",
    description: "Removes second factors, passkeys and the recovery code, and ends the trust in the user's browsers.",
    scopes: ["delete:authentication_methods"],
    furtherScopes: [grantsScopes],
    responses: { 204: null, ...missing, ...conflict },
  })(({ params }, context) => removeFactorsOf(context, params.id)),
  route({
    method: "GET",
    path: onePath,
    summary: "Get an authentication method of a user",
    scopes: ["read:authentication_methods"],
    responses: { 200: userAuthenticationMethodSchema, ...missing },
  })(async ({ params }, { tenant }) =>
    toAuthenticationMethod(await findMethod(tenant, await findPrimary(tenant, params.id), params.authentication_method_id)),
  ),
  route({
    method: "PATCH",
    path: onePath,
    summary: "Update an authentication method of a user",
    description: "`preferred_authentication_method` applies to phones only.",
    scopes: ["update:authentication_methods"],
    body: updateAuthenticationMethodSchema,
    responses: { 200: userAuthenticationMethodSchema, ...missing },
  })(async ({ params, body: { name, preferred_authentication_method: channel } }, { tenant }) => {
    const user = await findPrimary(tenant, params.id);
    const factor = await findMethod(tenant, user, params.authentication_method_id);
    if (channel !== undefined && factor.type !== "phone") throw invalidBody("'preferred_authentication_method' is only for phones");
    const set = { ...(name !== undefined && { name }), ...(channel !== undefined && { channel }) };
    if (!(await updateFactor(tenant, factor, set))) throw noSuchMethod();
    const isChanged = (name !== undefined && name !== factor.name) || (channel !== undefined && channel !== factor.channel);
    if (isChanged) await reportFactorChange(tenant, user, "updated", [factor]);
    return toAuthenticationMethod({ ...factor, ...set });
  }),
  route({
    method: "DELETE",
    path: onePath,
    summary: "Remove an authentication method of a user",
    description: "Returns 204 even if the user does not have the method, so that a call can be retried.",
    scopes: ["delete:authentication_methods"],
    furtherScopes: [grantsScopes],
    responses: { 204: null, ...missing, ...conflict },
  })(async ({ params }, context) => {
    const { tenant } = context;
    const user = await findPrimary(tenant, params.id);
    await requireRightsOfUser(context, user.user_id);
    const factor = await findFactor(tenant.data, user.user_id, params.authentication_method_id);
    // Called even if the factor does not exist: an earlier call may have crashed before its second write.
    const isRemoved = await removeFactor(tenant, user.user_id, params.authentication_method_id);
    if (factor !== undefined && isRemoved) await reportFactorChange(tenant, user, "removed", [factor]);
  }),
];

/** Removes all factors of a user. @throws {PosternError} as `requireRightsOfUser`. */
export async function removeFactorsOf(context: ManagementContext, userId: string): Promise<void> {
  const { tenant } = context;
  const user = await findPrimary(tenant, userId);
  await requireRightsOfUser(context, user.user_id);
  const factors = await findFactors(tenant.data, user);
  const removed = await removeAllFactors(tenant, user.user_id);
  // Of parallel calls, the one that removed the factors reports them.
  if (removed > 0) await reportFactorChange(tenant, user, "removed", factors);
}

function isListed(tenant: RequestTenant, factor: Factor): boolean {
  return factor.confirmed_at !== null || isPendingFactor(tenant, factor);
}

async function findMethod(tenant: RequestTenant, { user_id }: Row<"users">, id: string): Promise<Factor> {
  const factor = await findFactor(tenant.data, user_id, id);
  if (factor === undefined || !isListed(tenant, factor)) throw noSuchMethod();
  return factor;
}

function noSuchMethod(): PosternError {
  return new PosternError("not_found", "The user does not have this authentication method.");
}

/** @throws {PosternError} `invalid_request` if the key of an authenticator app or of a credential cannot be used. */
async function toNewFactor(tenant: RequestTenant, { name, ...body }: z.infer<typeof createAuthenticationMethodSchema>): Promise<NewFactor> {
  const named = { type: body.type, ...(name !== undefined && { name }), confirmed: true };
  switch (body.type) {
    case "email":
      return { ...named, address: body.email };
    case "phone":
      return { ...named, address: body.phone_number, channel: body.preferred_authentication_method ?? "sms" };
    case "totp":
      return {
        ...named,
        totpSecret: requireUsable(importTotpSecret(body.totp_secret), "'totp_secret' must be base32 with 80 to 1024 bits"),
      };
    default:
      return { ...named, ...(await importWebauthn(tenant, body)) };
  }
}

type WebauthnBody = Extract<z.infer<typeof createAuthenticationMethodSchema>, { readonly key_id: string }>;

async function importWebauthn(tenant: RequestTenant, body: Omit<WebauthnBody, "name">): Promise<CredentialValues> {
  const rpId = body.relying_party_identifier ?? (await tenant.relyingParty())?.rpId;
  const imported = await importCredential({
    rpId: requireUsable(rpId, "'relying_party_identifier' is required, because browsers offer no WebAuthn on this host"),
    id: body.key_id,
    publicKey: body.public_key.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
    userHandle: body.user_handle,
    aaguid: body.aaguid,
    transports: body.transports,
    deviceType: body.credential_device_type,
    backedUp: body.credential_backed_up,
  });
  return requireUsable(
    imported,
    "'public_key' must be a COSE key for EdDSA, ES256 or RS256, and only a credential of a multi_device can be backed up",
  );
}

/** @throws {PosternError} `invalid_request` if a value in the body is unusable. */
function requireUsable<Value>(value: Value | undefined, problem: string): Value {
  if (value === undefined) throw invalidBody(problem);
  return value;
}

/** @throws {PosternError} `conflict` if one of the factors sends codes to the same email address or phone number. */
function requireNewAddress(
  factors: readonly { readonly type: string; readonly address?: string | null }[],
  { type, address }: NewFactor,
): void {
  if (address === undefined || !factors.some((factor) => factor.type === type && factor.address === address)) return;
  throw new PosternError("conflict", `The user already has this ${type === "phone" ? "phone number" : "email address"} as a factor.`);
}
