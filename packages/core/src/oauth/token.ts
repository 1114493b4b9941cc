import { demandsOn } from "../model/clients/client-demands.ts";
import * as z from "zod";
import { PosternError } from "../errors.ts";
import { errorSchemaWith } from "../http/error-body.ts";
import { parseInput } from "../http/validation.ts";
import { mfaRequirementsSchema } from "../identity/factors/mfa-token.ts";
import type { AuditEventType } from "../model/logs/audit-event-types.ts";
import { route } from "../tenants/callers/route-context.ts";
import { findGrant, tokenGrants } from "./token/grants.ts";
import { tokenResponseSchema } from "./token/token-response.ts";

/** The credentials with which a client may authenticate in the body. */
const credentials = {
  client_id: z.string().exactOptional(),
  client_secret: z.string().exactOptional(),
  client_assertion: z.string().exactOptional(),
  client_assertion_type: z.string().exactOptional(),
};

/** The members of every request. The requested grant parses the rest. */
const tokenRequestSchema = z.looseObject({ grant_type: z.string(), ...credentials });

/** Returns a grant type without the prefix of its URN or URL. */
const shortName = (type: string): string => type.replace(/^.*[/:]/, "");

/** A variant for each grant, with its parameters. */
const documentedTokenRequestSchema = z
  .xor(
    Object.entries(tokenGrants).map(([type, { parameters }]) =>
      z.object({ grant_type: z.literal(type), ...parameters.shape, ...credentials }).meta({ title: shortName(type) }),
    ),
  )
  .meta({ id: "TokenRequest" });

/** Returns the type of the audit event for a rejected request. */
function failureEvent(body: unknown): AuditEventType {
  const type = typeof body === "object" && body !== null && "grant_type" in body ? body.grant_type : undefined;
  return (typeof type === "string" ? findGrant(type)?.grant.failureEvent : undefined) ?? "feacft";
}

/** The body of the error `mfa_required`, with the members that Auth0's SDKs read. Other errors have none of them. */
const mfaRequiredSchema = errorSchemaWith("MfaRequiredError", {
  mfa_token: z.string().exactOptional().meta({ description: "The token for the MFA API. It is valid for ten minutes" }),
  mfa_requirements: mfaRequirementsSchema.exactOptional().meta({
    description:
      "The factors that the user can pass (`challenge`) or must add (`enroll`). `challenge` is absent if every enrolled factor is allowed",
  }),
  recovery_code: tokenResponseSchema.shape.recovery_code,
});

/** The token endpoint (RFC 6749 section 3.2). */
export const tokenRoute = route({
  method: "POST",
  path: "/oauth/token",
  summary: "Exchange credentials for tokens",
  scopes: "client",
  bodyKind: "json-or-form",
  body: tokenRequestSchema,
  documentedBody: documentedTokenRequestSchema,
  failureEvent,
  acceptsProof: true,
  responses: {
    200: tokenResponseSchema,
    400: {
      error:
        "invalid_request, invalid_grant, invalid_scope, invalid_target, access_denied, unauthorized_client, unsupported_grant_type, " +
        "invalid_dpop_proof, use_dpop_nonce: repeat the request with the nonce in the header DPoP-Nonce, " +
        "interaction_required: the user must consent first that the client acts for them",
    },
    401: { error: "invalid_client, expired_token: the mfa_token has expired or was used" },
    403: {
      error:
        "INVALID_CREDENTIALS, TOO_MANY_FAILED_LOGINS, mfa_required: continue with the mfa_token in the response, " +
        "invalid_grant: the code of a second factor is wrong or the mfa_token is unknown",
      schema: mfaRequiredSchema,
    },
    429: { error: "TOO_MANY_REQUESTS" },
    503: { error: "temporarily_unavailable: a request to an identity provider failed" },
  },
})(async ({ body }, context) => {
  const { grant_type: type } = body;
  const found = findGrant(type);
  if (found === undefined) throw new PosternError("unsupported_grant_type", `'${type}' is not a supported grant type`);
  const { identifiers, grant } = found;
  const { grantTypes } = demandsOn(context.client);
  const usable = context.client.record.grant_types.filter((allowed) => grantTypes === undefined || grantTypes.includes(allowed));
  if (!usable.some((allowed) => identifiers.includes(allowed))) {
    throw new PosternError("unauthorized_client", `the client is not allowed to use the grant type '${type}'`);
  }
  const response = await grant.exchange(await parseInput(grant.parameters, body, "body"), context);
  context.tenant.host.telemetry?.countTokens(shortName(identifiers[0]), context.tenant.id);
  return response;
});
