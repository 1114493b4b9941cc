import { withoutWithheldScopes } from "../../authorization/actions/action-result.ts";
import type { UserAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens, type IssuedTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { tokenOrganization } from "../../authorization/organization.ts";
import { acrOf, authTimeOf, methodsOf } from "../../identity/sessions/methods.ts";
import { touchSession } from "../../identity/sessions/session.ts";
import type { PostLoginOutcome } from "../../login/run-actions.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { usePushedRequest } from "./pushed-requests.ts";

/**
 * Issues the code and the tokens that an authorization request asks for, and lists the client in the session. The user must
 * be signed in and must have consented. A pushed request is used up first.
 * @throws {PosternError} `invalid_request_uri` if another login used the pushed request.
 */
export async function issueRequested({
  interaction,
  settled,
  actions,
}: Extract<PostLoginOutcome, { kind: "done" }>): Promise<IssuedTokens> {
  const { tenant, client, request, login, api } = interaction;
  const { person, decided, organization } = settled;
  const { user, session, noted } = person;
  if (request.pushed_request !== undefined) await usePushedRequest(tenant, request.pushed_request, login?.id);
  const acr = acrOf(session, multifactorSettings(tenant.record), request.required_acrs);
  const granted: UserAccess = {
    client,
    provenKey: undefined,
    user,
    sessionId: session.id,
    grantId: tenant.random.record("grt_"),
    scope: withoutWithheldScopes(decided.scope, actions),
    api: await api(),
    authTime: authTimeOf(session),
    methods: methodsOf(session, acr),
    ...(request.nonce !== undefined && { nonce: request.nonce }),
    claims: { ...request.claims, ...(acr !== undefined && { acr }) },
    ...(actions && { actions }),
    ...(organization && { organization: tokenOrganization(tenant, organization, request.organization?.by_name ?? false) }),
  };
  const types = request.response_type;
  const binding = {
    redirectUri: request.redirect_uri_given ? request.redirect_uri : null,
    codeChallenge: request.code_challenge ?? null,
    dpopJkt: request.dpop_jkt,
    organizationByName: request.organization?.by_name ?? false,
  };
  const [issued] = await Promise.all([
    issueTokens(tenant, granted, {
      code: types.includes("code") ? binding : undefined,
      access: types.includes("token"),
      idToken: types.includes("id_token"),
      throughBrowser: true,
      // A silent authentication: no page was displayed.
      event: login === undefined ? { type: "ssa" } : undefined,
    }),
    noted ?? touchSession(tenant, session, client.record.client_id, tenant.settings),
  ]);
  if (types.some((type) => type !== "code")) tenant.host.telemetry?.countTokens("implicit", tenant.id);
  return issued;
}
