import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { confirmedFactors, findFactors, isPendingFactor, removeFactor, type Factor } from "../../identity/factors/factors.ts";
import { findFactorOwner } from "../../identity/factors/linked-factors.ts";
import { createRecoveryCode } from "../../identity/factors/recovery-code.ts";
import { forgetTrustedBrowsers } from "../../identity/factors/trusted-browser.ts";
import { enrollmentSchema, toEnrollment, toUserEnrollment, userEnrollmentSchema } from "../../model/users/authentication-methods.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { grantsScopes, requireRightsOfUser } from "../authority.ts";
import { removeFactorsOf } from "./authentication-methods.ts";
import { findPrimary } from "./find-user.ts";
import { requireOwnUser } from "./own-user.ts";
import { reportFactorChange } from "./report-factor-change.ts";
import { findOne } from "../../store/find-one.ts";

const missing = { 404: "inexistent_user" } as const;
const conflict = { 409: { error: "conflict" } } as const;
const onePath = "/api/v2/guardian/enrollments/:id";
const former = "Auth0's former API: see `/api/v2/users/{id}/authentication-methods`.";

/** The provider that `DELETE /api/v2/users/{id}/multifactor/{provider}` removes: authenticator apps. */
const authenticatorApp = "google-authenticator";

/** Why the routes below require the user's scopes: a factor that is removed no longer protects the user's password. */
const rights = "The caller must hold every Management API scope that the user has.";

/** The routes for second factors in Auth0's former API, for recovery codes and for remembered browsers. */
export const userEnrollments = [
  route({
    method: "GET",
    path: "/api/v2/users/:id/enrollments",
    summary: "List the factors that a user has confirmed",
    description: former,
    scopes: ["read:users", "read:current_user"],
    responses: { 200: z.array(userEnrollmentSchema), ...missing },
  })(async ({ params }, context) => {
    requireOwnUser(params.id, context, "read:users");
    const user = await findPrimary(context.tenant, params.id);
    return confirmedFactors(await findFactors(context.tenant.data, user)).map(toUserEnrollment);
  }),
  route({
    method: "DELETE",
    path: "/api/v2/users/:id/authenticators",
    summary: "Remove all factors of a user",
    description: `Removes second factors, passkeys and the recovery code, and ends the trust in the user's browsers. ${rights} ${former}`,
    scopes: ["delete:guardian_enrollments"],
    furtherScopes: [grantsScopes],
    responses: { 204: null, ...missing, ...conflict },
  })(({ params }, context) => removeFactorsOf(context, params.id)),
  route({
    method: "DELETE",
    path: "/api/v2/users/:id/multifactor/:provider",
    summary: "Remove the factors of a provider from a user",
    description: `The provider \`${authenticatorApp}\` removes authenticator apps. \`duo\` removes nothing, because Postern does not support Duo. ${rights} ${former}`,
    scopes: ["update:users"],
    furtherScopes: [grantsScopes],
    params: z.object({ id: z.string(), provider: z.enum(["duo", authenticatorApp]) }),
    responses: { 204: null, ...missing, ...conflict },
  })(async ({ params: { id, provider } }, context) => {
    const { tenant } = context;
    const user = await findPrimary(tenant, id);
    await requireRightsOfUser(context, user.user_id);
    if (provider === "duo") return;
    const removed: Factor[] = [];
    for (const factor of await findFactors(tenant.data, user)) {
      if (factor.type === "totp" && (await removeFactor(tenant, user.user_id, factor.id))) removed.push(factor);
    }
    await reportFactorChange(tenant, user, "removed", removed);
  }),
  route({
    method: "POST",
    path: "/api/v2/users/:id/multifactor/actions/invalidate-remember-browser",
    operation: "users.multifactor.invalidateRememberBrowser",
    summary: "End the trust in all browsers of a user",
    description: "The user is asked for a factor again in browsers in which they chose not to be.",
    scopes: ["update:users"],
    responses: { 204: null, ...missing },
  })(async ({ params }, { tenant }) => {
    await forgetTrustedBrowsers(tenant.data, (await findPrimary(tenant, params.id)).user_id);
  }),
  route({
    method: "POST",
    path: "/api/v2/users/:id/recovery-code-regeneration",
    operation: "users.regenerateRecoveryCode",
    summary: "Replace a user's recovery code",
    description: `The response contains the new code, which is stored as a hash. The former code is invalid. The user must have another factor. ${rights}`,
    scopes: ["update:users"],
    furtherScopes: [grantsScopes],
    responses: { 200: z.strictObject({ recovery_code: z.string() }).meta({ id: "RecoveryCode" }), ...missing, ...conflict },
  })(async ({ params }, context) => {
    const { tenant } = context;
    const user = await findPrimary(tenant, params.id);
    await requireRightsOfUser(context, user.user_id);
    const factors = confirmedFactors(await findFactors(tenant.data, user));
    if (factors.length === 0) throw noEnrollment("The user has no factor.");
    const code = await createRecoveryCode(tenant, user, "administrator");
    const hadOne = factors.some(({ type }) => type === "recovery-code");
    const stored = { type: "recovery-code", confirmed_at: tenant.now() };
    await reportFactorChange(tenant, user, hadOne ? "replaced" : "added", [stored]);
    return { recovery_code: code };
  }),
  route({
    method: "GET",
    path: onePath,
    summary: "Get a factor of any user",
    description: former,
    scopes: ["read:guardian_enrollments"],
    responses: { 200: enrollmentSchema, 404: "enrollment_not_found" },
  })(async ({ params }, { tenant }) => {
    const factor = await findOne(tenant.data.factors, { id: params.id });
    const isListed = factor !== undefined && (factor.confirmed_at !== null || isPendingFactor(tenant, factor));
    if (!isListed || (await findFactorOwner(tenant.data, factor)) === undefined) throw noEnrollment("The factor does not exist.");
    return toEnrollment(factor);
  }),
  route({
    method: "DELETE",
    path: onePath,
    summary: "Remove a factor of any user",
    description: `Returns 204 even if the factor does not exist, so that a call can be retried. ${rights} ${former}`,
    scopes: ["delete:guardian_enrollments"],
    furtherScopes: [grantsScopes],
    responses: { 204: null, ...conflict },
  })(async ({ params }, context) => {
    const { tenant } = context;
    const factor = await findOne(tenant.data.factors, { id: params.id });
    if (factor === undefined) return;
    const user = await findFactorOwner(tenant.data, factor);
    if (user === undefined) return;
    await requireRightsOfUser(context, user.user_id);
    if (await removeFactor(tenant, user.user_id, factor.id)) await reportFactorChange(tenant, user, "removed", [factor]);
  }),
];

function noEnrollment(problem: string): PosternError {
  return new PosternError("not_found", problem, { errorCode: "enrollment_not_found" });
}
