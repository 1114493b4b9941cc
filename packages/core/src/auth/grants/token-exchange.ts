import * as z from "zod";
import { isPosternError, PosternError } from "../../errors.ts";
import { hasConsented } from "../../login/consent.ts";
import type { ClientContext } from "../../tenancy/context.ts";
import { grant } from "./grant.ts";
import { livePerson } from "./live-person.ts";
import { grantedOrganization } from "./organization.ts";
import { personScopes, requestedApi } from "./person-scopes.ts";
import { personAccessToken, personIdToken, type PersonGrant } from "./person-tokens.ts";

const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/** A person's access token for a narrower one (RFC 8693). Only tokens that this tenant issued to this client; the new one never lives longer, never holds more, and is not exchanged again. */
export const tokenExchange = grant({
  type: "urn:ietf:params:oauth:grant-type:token-exchange",
  parameters: z.object({
    subject_token: z.string().min(1).max(16_384),
    subject_token_type: z.literal(accessTokenType, { error: `must be ${accessTokenType}` }),
    requested_token_type: z.literal(accessTokenType, { error: `must be ${accessTokenType}` }).exactOptional(),
    audience: z.string().min(1).max(600).exactOptional(),
    scope: z.string().max(10_000).exactOptional(),
    organization: z.string().max(255).exactOptional(),
    actor_token: z.never({ error: "is not supported" }).exactOptional(),
  }),
  failureEvent: "fecte",
})(async (sent, context) => {
  const { tenant, client } = context;
  const subject = await readSubjectToken(context, sent.subject_token);
  const { user, session } = await livePerson(tenant, subject).catch((thrown: unknown) => {
    // RFC 8693 section 2.2.2: a subject token that is not good makes the request not good.
    throw isPosternError(thrown) && thrown.code === "invalid_grant" ? invalidSubject("the subject token was revoked", thrown) : thrown;
  });
  const organization = await grantedOrganization(tenant, client, {
    userId: user.user_id,
    asked: sent.organization,
    stored: subject.organizationId,
    lost: "'subject_token': the person is no member of its organization any more",
  });

  const api = await requestedApi(tenant, sent.audience ?? subject.audience);
  const asked = sent.scope === undefined ? subject.scope : [...new Set(sent.scope.split(" ").filter((value) => value !== ""))];
  const beyond = asked.find((value) => !subject.scope.includes(value));
  if (beyond !== undefined) throw new PosternError("invalid_scope", `the scope '${beyond}' is not in the subject token`);
  const { scope, permissions } = await personScopes(
    tenant,
    client,
    { userId: user.user_id, organizationId: organization?.id },
    asked.filter((value) => value !== "offline_access"),
    api,
  );
  if (sent.audience !== undefined && sent.audience !== subject.audience && !client.record.is_first_party) {
    // What the person allowed for one API says nothing about another.
    const consent = { userId: user.user_id, clientId: client.record.client_id, audience: api?.record.identifier ?? "", scope };
    if (!(await hasConsented(tenant, consent))) throw new PosternError("access_denied", "the person has not allowed the client this API");
  }
  const granted: PersonGrant = {
    client,
    user,
    sessionId: subject.sessionId,
    grantId: subject.grantId,
    scope,
    // Narrower in whatever it says.
    ...(permissions && { permissions: permissions.filter((value) => scope.includes(value)) }),
    api,
    authTime: session?.authenticated_at ?? subject.issuedAt,
    expiresAt: subject.expiresAt,
    exchanged: true,
    ...(organization && { organization }),
  };
  const [access, idToken] = await Promise.all([
    personAccessToken(tenant, granted),
    scope.includes("openid") ? personIdToken(tenant, granted) : undefined,
  ]);
  await tenant.audit({
    type: "secte",
    client: { client_id: client.record.client_id, name: client.record.name },
    user: { user_id: user.user_id, name: user.name },
    scope: scope.join(" "),
  });
  return {
    access_token: access.token,
    issued_token_type: accessTokenType,
    token_type: "Bearer",
    expires_in: access.expiresIn,
    ...(idToken !== undefined && { id_token: idToken }),
    ...(scope.length > 0 && { scope: scope.join(" ") }),
  };
});

interface SubjectToken {
  readonly userId: string;
  readonly sessionId: string;
  readonly grantId: string;
  readonly organizationId: string | null;
  readonly audience: string;
  readonly scope: readonly string[];
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

const Payload = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.tuple([z.string()]).rest(z.string())]),
  sid: z.string(),
  grant_id: z.string(),
  scope: z.string().exactOptional(),
  azp: z.string().exactOptional(),
  client_id: z.string().exactOptional(),
  tenant_id: z.string(),
  org_id: z.string().exactOptional(),
  iat: z.number(),
  exp: z.number(),
  exchanged: z.boolean().exactOptional(),
});

async function readSubjectToken({ tenant, client }: ClientContext, token: string): Promise<SubjectToken> {
  const payload = await tenant.tokens.verify(token, await tenant.signingKeys()).catch((cause: unknown) => {
    throw invalidSubject("the subject token is not valid", cause);
  });
  const parsed = Payload.safeParse(payload);
  if (!parsed.success) throw invalidSubject("the subject token is not a person's access token");
  const {
    iss,
    sub,
    aud,
    sid,
    grant_id: grantId,
    scope = "",
    azp,
    client_id: clientId = azp,
    tenant_id: tenantId,
    org_id: organizationId = null,
    iat,
    exp,
    exchanged,
  } = parsed.data;
  if (tenantId !== tenant.id || !(await tenant.issuers()).includes(iss)) throw invalidSubject("the subject token was not issued here");
  if (clientId !== client.record.client_id) throw invalidSubject("the subject token was issued to another client");
  if (exchanged === true) throw invalidSubject("the subject token came from an exchange itself");
  const audience = typeof aud === "string" ? aud : aud[0];
  const scopes = scope.split(" ").filter((value) => value !== "");
  return { userId: sub, sessionId: sid, grantId, organizationId, audience, scope: scopes, issuedAt: iat * 1000, expiresAt: exp };
}

function invalidSubject(description: string, cause?: unknown): PosternError {
  return new PosternError("invalid_request", `'subject_token': ${description}`, { cause });
}
