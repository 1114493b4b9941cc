import { readCookie } from "../http/cookies.ts";
import { PosternError } from "../errors.ts";
import { readRemembered, sessionCookie } from "../login/cookies.ts";
import { currentOutcome } from "../login/engine.ts";
import { readBrowserSession, type Interaction } from "../login/interaction.ts";
import { noProgress } from "../login/progress.ts";
import { signInByTicket } from "../login/sign-in-by-ticket.ts";
import { stepNamed } from "../login/steps.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { authorizationRequestSchema, type AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { Checked } from "./authorize/checks/check.ts";
import { runAuthorizationChecks } from "./authorize/checks/table.ts";
import { finish } from "./authorize/finish.ts";
import { authorizationParametersSchema } from "./authorize/parameters.ts";
import { readAuthorizationParameters } from "./authorize/read-parameters.ts";
import { refuseAuthorization } from "./authorize/refuse.ts";
import { responsePage } from "./authorize/respond.ts";
import { toLogin } from "../login/to-login.ts";

const definition = {
  path: "/authorize",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["client_id"],
  failureEvent: () => "f" as const,
  responses: {
    200: responsePage,
    303: { error: "redirects to the client or to the login page" },
    400: { error: "a page: the client is unknown, or the redirect URI is not registered" },
    429: { error: "a page: too many logins were started from this IP address" },
  },
} as const;

/** The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2), by GET and by POST. */
export const authorize = [
  route({ ...definition, method: "GET", hasSideEffects: true, summary: "Sign a user in", query: authorizationParametersSchema })(
    async ({ query, request }, { tenant }) => handle(tenant, request, query),
  ),
  route({
    ...definition,
    method: "POST",
    summary: "Sign a user in, with a form",
    body: authorizationParametersSchema,
    bodyKind: "json-or-form",
  })(async ({ body, request }, { tenant }) => handle(tenant, request, body)),
];

async function handle(tenant: RequestTenant, request: Request, parameters: object): Promise<Response> {
  const checked: Checked = { tenant, ...readAuthorizationParameters(parameters), request: {} };
  try {
    await runAuthorizationChecks("/authorize", checked);
    return await proceed(tenant, request, checked, authorizationRequestSchema.parse(checked.request));
  } catch (thrown) {
    return refuseAuthorization(tenant, checked, thrown);
  }
}

/**
 * Issues the response at once if the user is signed in. Otherwise stores the request and redirects to the login pages.
 */
async function proceed(
  tenant: RequestTenant,
  httpRequest: Request,
  { client, api, sent }: Checked,
  validatedRequest: AuthorizationRequest,
): Promise<Response> {
  if (client === undefined || api === undefined) throw new Error("the client and the audience must be checked first");
  const browser = await readBrowserSession(tenant, readCookie(httpRequest, tenant.urls, sessionCookie(tenant)));
  const remembered = readRemembered(tenant, httpRequest);
  const begun: Interaction = {
    tenant,
    client,
    request: validatedRequest,
    api,
    login: undefined,
    progress: noProgress,
    browser,
    remembered,
    cookies: [],
  };
  const { login_ticket: ticket } = sent;
  const interaction = ticket === undefined ? begun : await signInByTicket(begun, ticket, httpRequest);
  const outcome = await currentOutcome(interaction);
  if (outcome.kind === "refused") throw outcome.error;
  const { request, progress, cookies } = interaction;
  if (outcome.kind === "screen" && request.prompt.includes("none")) throw silentRefusal(outcome.screen.name);
  if (outcome.kind === "screen") return toLogin(tenant, httpRequest, request, { step: outcome.screen.name, progress, cookies });
  if (outcome.kind === "leave") throw new Error("a redirect requires a submitted action");
  return finish(outcome, httpRequest);
}

/** Returns the error of silent authentication for a step that needs a page (OpenID Connect Core section 3.1.2.6). */
function silentRefusal(stepName: string): PosternError {
  const [code, description] = stepNamed(stepName)?.silentError ?? (["interaction_required", "user interaction is required"] as const);
  return new PosternError(code, description);
}
