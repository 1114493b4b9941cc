import * as z from "zod";
import { PosternError } from "../errors.ts";
import { Reply } from "../http/route.ts";
import { csrfToken, stateOf } from "../login/login-session.ts";
import type { Screen } from "../login/screen.ts";
import { route } from "../tenancy/context.ts";
import { currentStep, openForm, openLogin, takeStep, type LoginOutcome, type OpenLogin } from "./login-steps.ts";

/** What a visit asks now, or where it ends. */
const FlowReply = z
  .strictObject({
    state: z.string(),
    csrf: z.string().meta({ description: "To be sent with the next step. It says whom this one was shown to: each screen has its own" }),
    screen: z.custom<Screen>().meta({ type: "object", description: "What is asked, by name" }).exactOptional(),
    redirect_to: z.string().exactOptional().meta({ description: "The visit is over: go there" }),
  })
  .meta({ id: "FlowReply" });

type FlowReply = z.infer<typeof FlowReply>;

const State = z.string().max(200);

/** The login flow as JSON, for pages of a host's own. The same steps as the hosted pages, bound to the same browser. */
export const flowApi = [
  route({
    method: "GET",
    path: "/u/flow",
    summary: "What the login flow asks now",
    scopes: "public",
    acts: true,
    tenantHints: ["state"],
    query: z.looseObject({ state: State }),
    responses: { 200: FlowReply, 400: { error: "login_expired" } },
  })(async ({ query, request }, { tenant }) => {
    const open = await openLogin(tenant, request, query.state);
    return reply(open, await currentStep(open));
  }),
  route({
    method: "POST",
    path: "/u/flow",
    summary: "Take a step of the login flow",
    scopes: "public",
    tenantHints: ["state"],
    body: z.strictObject({
      state: State,
      csrf: z.string().max(100),
      action: z.enum([
        "continue",
        "change-identifier",
        "sign-in",
        "create-account",
        "have-account",
        "continue-as",
        "other-account",
        "select-organization",
        "accept-invitation",
        "accept",
        "deny",
      ]),
      identifier: z.string().max(320).exactOptional(),
      password: z.string().max(10_000).exactOptional(),
      organization: z.string().max(64).exactOptional(),
    }),
    responses: {
      200: FlowReply,
      400: { error: "login_expired, access_denied" },
      403: { error: "INVALID_CREDENTIALS, TOO_MANY_FAILED_LOGINS, forbidden" },
      429: { error: "TOO_MANY_REQUESTS" },
    },
  })(async ({ body, request }, { tenant }) => {
    const open = await openForm(tenant, request, body.state, body.csrf);
    const outcome = await takeStep(open, body);
    if (outcome.kind === "screen" && outcome.refusal !== undefined) throw outcome.refusal;
    if (outcome.kind === "screen" && "problem" in outcome.screen) refuseStep(outcome.screen.problem);
    return reply(open, outcome);
  }),
];

/** A problem that a page would show, as the flat error of spec section 7. */
function refuseStep(problem: string | undefined): void {
  switch (problem) {
    case "wrong-credentials":
      throw new PosternError("INVALID_CREDENTIALS", "Wrong email or password.");
    case "too-many-attempts":
      throw new PosternError("TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in some minutes.");
    case "blocked":
      throw new PosternError("access_denied", "user is blocked");
    case "identifier-missing":
      throw new PosternError("invalid_request", "body: 'identifier' is missing");
    case "password-missing":
      throw new PosternError("invalid_request", "body: 'password' is missing");
    case "password-too-weak":
      throw new PosternError("invalid_request", "body: 'password' is too weak");
    case "password-too-common":
      throw new PosternError("invalid_request", "body: 'password' is too common");
    case "password-personal":
      throw new PosternError("invalid_request", "body: 'password' holds the person's name or address");
  }
}

async function reply({ tenant, login }: OpenLogin, outcome: LoginOutcome): Promise<Reply<FlowReply>> {
  const state = stateOf(tenant, login);
  const base = { state, csrf: await csrfToken(login, outcome.kind === "screen" ? outcome.shownTo : undefined) };
  if (outcome.kind === "screen") return new Reply({ ...base, screen: outcome.screen }, { cookies: outcome.cookies });
  const { headers } = outcome.response;
  // An answer by form_post or web_message is a page: the login page of a visit that is done shows it.
  const page = `${tenant.urls.urlFor("/u/login")}?${new URLSearchParams({ state })}`;
  return new Reply({ ...base, redirect_to: headers.get("location") ?? page }, { cookies: headers.getSetCookie() });
}
