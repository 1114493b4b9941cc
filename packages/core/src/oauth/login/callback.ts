import * as z from "zod";
import { redirectResponse } from "../../http/html.ts";
import { bring } from "../../login/engine.ts";
import { openInteraction } from "../../login/open.ts";
import { errorPage } from "../../login/pages/error-page.ts";
import { comeBack } from "../../login/upstream/come-back.ts";
import { callbackPath } from "../../login/upstream/leave.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { closedPage, lead, noLogin } from "./page.ts";
import { wayBack } from "./way-back.ts";

const optional = (most: number) => z.string().max(most).exactOptional();

/** What a provider sends back (RFC 6749 section 4.1.2, RFC 9207). Whatever else comes is not looked at. */
const Answer = z.looseObject({
  state: optional(300),
  code: optional(8000),
  iss: optional(2048),
  error: optional(300),
  error_description: optional(2000),
  user: optional(2000),
});

/** Where identity providers send people back to. The `state` names the tenant, the login and the way there; the browser's cookie shows that the login is its own. */
export const loginCallback = [
  route({
    ...wayBack,
    path: callbackPath,
    method: "GET",
    acts: true,
    summary: "Come back from an identity provider",
    query: Answer,
  })(async ({ query, request }, { tenant }) => {
    const { state } = query;
    const opened = state === undefined ? undefined : await openInteraction(tenant, request, loginStateOf(state));
    if (state === undefined || opened === undefined) return errorPage(tenant, noLogin());
    if (opened.kind === "closed") return closedPage(tenant, opened);
    return lead(await bring(opened.interaction, (asked) => comeBack(asked, state, answerOf(query))), request);
  }),
  route({
    ...wayBack,
    path: callbackPath,
    method: "POST",
    summary: "Come back from an identity provider, by a form",
    description: "Leads on to the same address by GET: the browser sends its cookies there, which it may keep from a form of another site.",
    bodyKind: "form",
    body: Answer,
  })(async ({ body }, { tenant }: { readonly tenant: Tenant }) =>
    redirectResponse(`${tenant.urls.urlFor(callbackPath)}?${answerOf(body)}`, []),
  ),
];

/** The `state` of the login: that of the way to the provider without its last part. */
function loginStateOf(state: string): string {
  return state.slice(0, Math.max(0, state.lastIndexOf(".")));
}

const names = ["state", "code", "iss", "error", "error_description", "user"] as const;

function answerOf(sent: z.output<typeof Answer>): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])));
}
