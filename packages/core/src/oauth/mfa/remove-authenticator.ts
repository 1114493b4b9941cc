import { PosternError } from "../../errors.ts";
import { findFactor, isPendingFactor, type Factor } from "../../identity/factors/factors.ts";
import { frozenFactors } from "../../identity/factors/frozen-factors.ts";
import { removeOptionalFactor, removeOwnFactor, type OwnRemoval } from "../../identity/factors/remove-own-factor.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { invalidToken } from "../../tenants/callers/bearer-token.ts";
import { route, type MfaContext } from "../../tenants/callers/route-context.ts";
import { toAuthenticator } from "./authenticator.ts";
import { requireFactorChange } from "./waiting-grant.ts";

/** Removes an authenticator of the user of an access token. An `mfa_token` is not sufficient, because it needs no factor. */
export const removeMfaAuthenticator = route({
  method: "DELETE",
  path: "/mfa/authenticators/:id",
  summary: "Remove an authenticator",
  description:
    "Requires an access token for `<issuer>mfa/` with the scope `remove:authenticators`, and a second factor within the last 15 minutes.",
  scopes: "mfa",
  responses: {
    204: null,
    400: { error: "access_denied: the user reported a change, so that nothing can be removed for 24 hours" },
    401: { error: "invalid_token: the token is missing, invalid or an mfa_token, or the user must pass a second factor again" },
    403: { error: "insufficient_scope" },
    404: { error: "not_found: the user has no such authenticator" },
    409: { error: "conflict: the tenant requires a second factor, and this is the last one" },
  },
})(async ({ params }, context) => {
  const { tenant, mfaToken, scope } = context;
  if (scope === undefined) throw invalidToken("an access token for the MFA API is required");
  await requireFactorChange(context, "remove:authenticators");
  const { user } = mfaToken;
  const factor = await findFactor(tenant.data, user.user_id, params.id);
  const isListed = factor !== undefined && (factor.confirmed_at !== null || isPendingFactor(tenant, factor));
  if (!isListed || toAuthenticator(tenant, factor) === undefined) throw noSuchAuthenticator();
  const result = await remove(context, factor);
  if (result === "absent") throw noSuchAuthenticator();
  if (result === "frozen") throw frozenFactors();
  if (result === "required")
    throw new PosternError("conflict", "A second factor is required. Add another one before you remove the last one.");
});

/** Removes a factor, unless the tenant requires it. A recovery code and an unconfirmed factor are never required. */
async function remove({ tenant, client, mfaToken: { user } }: MfaContext, factor: Factor): Promise<OwnRemoval> {
  const owner = { user, client };
  const isCounted = factor.confirmed_at !== null && factor.type !== "recovery-code";
  return isCounted
    ? removeOwnFactor(tenant, owner, factor, multifactorSettings(tenant.record))
    : removeOptionalFactor(tenant, owner, factor);
}

function noSuchAuthenticator(): PosternError {
  return new PosternError("not_found", "the user has no such authenticator");
}
