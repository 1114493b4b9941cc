import { PosternError } from "../../errors.ts";
import { hasIndependentFactor, requiresFactor } from "../../identity/factors/factor-policy.ts";
import { findFactor, isPendingFactor, removeFactorOfUser } from "../../identity/factors/factors.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import { sendFactorChangedMail } from "../../messages/factor-mails.ts";
import { factorTypeSchema, toApiFactorType } from "../../model/factors/factor-types.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { invalidToken } from "../../tenants/callers/access-token.ts";
import { route } from "../../tenants/callers/route-context.ts";
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
    401: { error: "invalid_token: the token is missing, invalid or an mfa_token, or the user must pass a second factor again" },
    403: { error: "insufficient_scope" },
    404: { error: "not_found: the user has no such authenticator" },
    409: { error: "conflict: the tenant requires a second factor, and this is the last one" },
  },
})(async ({ params }, context) => {
  const { tenant, client, mfaToken, scope } = context;
  if (scope === undefined) throw invalidToken("an access token for the MFA API is required");
  await requireFactorChange(context, "remove:authenticators");
  const { user } = mfaToken;
  const factor = await findFactor(tenant.data, user.user_id, params.id);
  const isListed = factor !== undefined && (factor.confirmed_at !== null || isPendingFactor(tenant, factor));
  if (!isListed || toAuthenticator(factor) === undefined) throw noSuchAuthenticator();
  const isRequired =
    requiresFactor(multifactorSettings(tenant.record)) && factor.confirmed_at !== null && hasIndependentFactor([factor.type]);
  const result = await removeFactorOfUser(tenant, factor, (left) => !isRequired || hasIndependentFactor(left.map(({ type }) => type)));
  if (result === "missing") throw noSuchAuthenticator();
  if (result === "required")
    throw new PosternError("conflict", "A second factor is required. Add another one before you remove the last one.");
  if (factor.confirmed_at === null) return;
  const type = factorTypeSchema.parse(factor.type);
  sendFactorChangedMail(tenant, user, { change: "removed", type, client });
  await tenant.audit({
    type: "gd_unenroll",
    description: "A second factor was removed.",
    details: { authenticator: { type: toApiFactorType(type) } },
    ...auditClient(client),
    ...auditUser(user),
  });
});

function noSuchAuthenticator(): PosternError {
  return new PosternError("not_found", "the user has no such authenticator");
}
