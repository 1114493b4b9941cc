import * as z from "zod";
import { Reply } from "../../http/route.ts";
import { respondsWithPage } from "../../authorization/authorization-request.ts";
import { markAnswered, currentOutcome, submitAction, type Outcome } from "../../login/engine.ts";
import { formToken } from "../../login/form-token.ts";
import { stateOf } from "../../login/login-session.ts";
import { openForm, openInteraction } from "../../login/open.ts";
import { componentName } from "../../login/step.ts";
import { actions, screenSchema } from "../../login/steps.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { concludeInteraction, sendConcluded } from "../../oauth/authorize/finish.ts";
import { stepUrl } from "../../login/to-login.ts";

/** The current step of the login, or the URL at which the login ends or continues. */
const flowReplySchema = z
  .strictObject({
    state: z.string().meta({ description: "The state that identifies the login, as it was sent" }),
    csrf: z.string().meta({
      description: "Send it with the next action. It identifies the user to whom this screen was displayed. Each response has a new value",
    }),
    screen: screenSchema.exactOptional(),
    redirect_to: z
      .string()
      .exactOptional()
      .meta({ description: "The URL to redirect the browser to: the login is finished, or continues at an identity provider" }),
  })
  .meta({ id: "FlowReply", description: "Either a screen, or the URL to redirect the browser to" });

type FlowReply = z.infer<typeof flowReplySchema>;

const stateSchema = z.string().max(200).meta({ description: "Identifies the login. It is a parameter of the login page's URL" });
const common = {
  state: stateSchema,
  csrf: z.string().max(150).meta({ description: "The value of the response that contained the screen" }),
};

const [firstAction, ...otherActions] = Object.entries(actions).map(([name, { summary, fields }]) =>
  z.strictObject({ ...common, action: z.literal(name), ...fields }).meta({ id: componentName(name, "Action"), description: summary }),
);
if (firstAction === undefined) throw new Error("no step has an action");

/** An action with its own fields, from the table of steps. */
const flowActionSchema = z
  .discriminatedUnion("action", [firstAction, ...otherActions])
  .meta({ id: "FlowAction", description: "An action of the user. Each screen lists its actions" });

/**
 * The login as JSON, for custom login pages of the host application. The login has the same steps as on the hosted
 * pages, and is bound to the browser in the same way.
 */
export const flowApi = [
  route({
    method: "GET",
    path: "/u/flow",
    summary: "The current screen of the login",
    scopes: "public",
    hasSideEffects: true,
    tenantHints: ["state"],
    query: z.looseObject({ state: stateSchema }),
    responses: { 200: flowReplySchema, 400: { error: "login_expired" } },
  })(async ({ query, request }, { tenant }) => {
    const opened = await openInteraction(tenant, request, query.state);
    if (opened.kind === "closed") throw opened.error;
    const outcome = await currentOutcome(opened.interaction);
    if (outcome.kind === "screen" || outcome.kind === "leave" || respondsWithPage(outcome.interaction.request))
      return reply(outcome, request);
    return reply({ ...outcome, interaction: await markAnswered(outcome.interaction) }, request);
  }),
  route({
    method: "POST",
    path: "/u/flow",
    summary: "Submit an action of the login",
    scopes: "public",
    tenantHints: ["state"],
    body: flowActionSchema,
    responses: {
      200: flowReplySchema,
      400: { error: "login_expired, access_denied" },
      403: { error: "INVALID_CREDENTIALS, TOO_MANY_FAILED_LOGINS, forbidden" },
      429: { error: "TOO_MANY_REQUESTS" },
    },
  })(async ({ body, request }, { tenant }) => {
    const opened = await openForm(tenant, request, body.state, body.csrf);
    if (opened.kind === "closed") throw opened.error;
    const { interaction, rendering, shownToAnother } = opened;
    const outcome = await submitAction(interaction, { action: body.action, fields: body, rendering, shownToAnother });
    if (outcome.kind === "screen" && outcome.refusal !== undefined) throw outcome.refusal;
    return reply(outcome, request);
  }),
];

async function reply(outcome: Outcome, httpRequest: Request): Promise<Reply<FlowReply>> {
  const { tenant, login, browser, cookies, request } = outcome.interaction;
  if (login === undefined) throw new Error("the flow API requires a login session");
  const csrf = await formToken(login, browser?.user.user_id, tenant.random.token(9));
  const base = { state: stateOf(tenant, login), csrf };
  if (outcome.kind === "screen") return new Reply({ ...base, screen: outcome.screen }, { cookies });
  if (outcome.kind === "leave") return new Reply({ ...base, redirect_to: outcome.to }, { cookies });
  // A form_post or web_message response is itself a page. The login page returns it after the login is finished.
  if (respondsWithPage(request)) return new Reply({ ...base, redirect_to: stepUrl(tenant, login) }, { cookies });
  const concluded = await concludeInteraction(outcome);
  if (concluded.kind === "screen") return reply(concluded, httpRequest);
  const { headers } = await sendConcluded(concluded, httpRequest);
  return new Reply({ ...base, redirect_to: headers.get("location") ?? stepUrl(tenant, login) }, { cookies: headers.getSetCookie() });
}
