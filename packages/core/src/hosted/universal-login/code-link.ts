import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { readCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import { authorizationRequestSchema, type AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { isPolicyInForce } from "../../identity/factors/factor-uses.ts";
import { signInWithCode } from "../../identity/login/code-login.ts";
import { browserSession } from "../../login/start-session.ts";
import { browserCookie, readRemembered, sessionCookie } from "../../login/cookies.ts";
import { confirmCodePage } from "../../login/confirm-code-page.ts";
import { submitAction } from "../../login/engine.ts";
import { readBrowserSession } from "../../login/interaction.ts";
import { findLogin, isBoundTo, isOpen, type LoginSession } from "../../login/login-session.ts";
import { isFactorMissing } from "../../authorization/step-up/sign-in.ts";
import { openInteraction } from "../../login/open.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { codeProblems, type CodeProblem } from "../../login/pages/confirm-code.tsx";
import { loginProgressSchema } from "../../login/progress.ts";
import type { AwaitedCode } from "../../login/steps/code/progress.ts";
import { returnLink } from "../../login/return-link.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { redirectAfterPost } from "./page.ts";

const parameters = { state: z.string().max(200), code: z.string().max(100).exactOptional() };

const definition = {
  path: "/u/code",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["state"],
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to the next step of the login, to the application, or to this page with an error message" },
    400: { error: "a page: the link is not valid" },
  },
} as const;

const problems: { readonly [name: string]: CodeProblem } = {
  ...codeProblems,
  "factor-required": "factor-required",
};

/**
 * The page that opens when a user follows the link that a hosted login sends with its code. A GET request changes
 * nothing, because mail scanners open links first. In the browser that began the login, the button continues that
 * login. In any other browser, the button signs the user in there and redirects to the application, which then sends
 * its own authorization request. If a second factor must follow, the code stays valid for the first browser.
 */
export const codeLink = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the page that the link in a sign-in email opens",
    query: z.looseObject({ ...parameters, problem: z.string().max(40).exactOptional() }),
  })(async ({ query: { state, code = "", problem = "" }, request }, { tenant }) => {
    const { login, client, sentCode, authorizationRequest } = await findOpenLogin(tenant, state);
    const shown = problems[problem] ?? (code === "" ? "used" : undefined);
    const cookie = readCookie(request, tenant.urls, browserCookie(tenant));
    const isElsewhere = cookie === undefined || !(await isBoundTo(login, cookie));
    const page = { client, path: definition.path, hidden: { state, code }, uiLocales: authorizationRequest.ui_locales };
    return confirmCodePage(tenant, page, { account: sentCode.to, problem: shown, isElsewhere });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Sign in with the link in a sign-in email",
    bodyKind: "form",
    body: z.looseObject(parameters),
  })(async ({ body: { state, code = "" }, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const opened = await openInteraction(tenant, request, state);
    // A link has one form, however often its page is rendered.
    const submitted = { step: "code", action: "enter-code", fields: { code }, rendering: code };
    if (opened.kind === "open") return redirectAfterPost(await submitAction(opened.interaction, submitted), request);
    return signInHere(tenant, request, await findOpenLogin(tenant, state), state, code);
  }),
];

interface Found {
  readonly login: LoginSession;
  readonly client: RegisteredClient;
  readonly sentCode: AwaitedCode;
  readonly authorizationRequest: AuthorizationRequest;
}

/**
 * Returns the login that waits for a code.
 * @throws {PosternError} `login_expired` if no such login is open.
 */
async function findOpenLogin(tenant: RequestTenant, state: string): Promise<Found> {
  const login = await findLogin(tenant, state);
  const client = login && (await tenant.client(login.client_id));
  const sentCode = login && loginProgressSchema.parse(login.progress).code;
  if (login === undefined || client === undefined || sentCode?.purpose !== "login" || !isOpen(tenant, login)) {
    throw new PosternError("login_expired", "This link was used or has expired. Go back to the app and start again.");
  }
  return { login, client, sentCode, authorizationRequest: authorizationRequestSchema.parse(login.request) };
}

async function signInHere(
  tenant: RequestTenant,
  request: Request,
  { login, client, sentCode, authorizationRequest }: Found,
  state: string,
  code: string,
): Promise<Response> {
  const connection = await tenant.connections.byId(sentCode.connection_id);
  const offered = await tenant.connections.offers(client, sentCode.connection_id, authorizationRequest.organization?.id);
  if (connection === undefined || !offered)
    throw new PosternError("access_denied", "the connection that sent the link is no longer available");
  const browser = await readBrowserSession(tenant, readCookie(request, tenant.urls, sessionCookie(tenant)));
  const remembered = readRemembered(tenant, request);
  const result = await signInWithCode(tenant, {
    client,
    connection,
    session: browserSession({ tenant, client, browser, remembered }, { method: "otp", connection }),
    address: { channel: sentCode.channel, text: sentCode.to },
    code,
    marks: remembered.accounts,
    loginId: login.id,
    // The login that the link belongs to is in another browser, so no second factor can follow here. The code stays valid
    // for that browser.
    canComplete: async (accounts) =>
      accounts === undefined
        ? !isPolicyInForce(multifactorSettings(tenant.record))
        : !(await isFactorMissing({ tenant, remembered }, { method: "otp", channels: [sentCode.to], connection, ...accounts })),
  });
  const toProblem = (problem: string): Response =>
    redirectResponse(`${tenant.urls.urlFor(definition.path)}?${new URLSearchParams({ state, problem })}`);
  if (result.kind === "unused") return toProblem("factor-required");
  if (result.kind !== "signed-in") return toProblem(result.kind === "wrong-code" ? "used" : result.kind);
  if (result.started.session === undefined) return toProblem("factor-required");
  const next = returnLink(tenant, client)?.href ?? tenant.urls.urlFor("/u/login");
  await result.recorded;
  return redirectResponse(next, result.started.cookies);
}
