import * as z from "zod";
import { isPosternError } from "../../errors.ts";
import { redirectResponse } from "../../http/html.ts";
import { challengeActions } from "../../login/factors/challenge-form.ts";
import { isOwnForm, renderingOf } from "../../login/form-token.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { pageResponse } from "../../login/page.ts";
import { returnLink } from "../../login/return-link.ts";
import { keyResponseField } from "../../login/steps/webauthn/key-response.ts";
import { messageTypeSchema } from "../../model/factors/multifactor.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { securityPath } from "../../tenants/ticket-links.ts";
import { addPage } from "./add-page.tsx";
import { forgetBrowsers } from "./forget-browsers.ts";
import { enrollmentActions, lostFirstFactor, submitUserFactor } from "./new-factor.ts";
import { overviewPage } from "./overview.ts";
import { drawClosed } from "./pages/closed.tsx";
import { provePage, repeatRecovery, submitProof } from "./prove.tsx";
import { createUserRecoveryCode, newRecoveryCodePage } from "./recovery-code.ts";
import { removePage, removeUserFactor } from "./remove-factor.ts";
import { renameFactor, renamePage } from "./rename-factor.ts";
import { formOwner, securityUrl, type SecurityState, type SecurityView } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import { openVisit, type AccountVisit } from "./visit.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const definition = {
  path: securityPath,
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["tenant", "client_id"],
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to the page" },
    403: { error: "an HTML error page: no user is signed in, or the form was sent from another site" },
  },
} as const;

const short = z.string().max(40).exactOptional();
const tenantSchema = z
  .string()
  .max(63)
  .exactOptional()
  .meta({ description: "On a host that several tenants share: the id of the tenant. The links and forms of the page contain it" });
const factorIdSchema = z.string().max(64).exactOptional();
const newFactorSchema = z.string().max(150).exactOptional();

/** The pages of a change. Viewing a page changes nothing. */
const pages: { readonly [view: string]: (visit: AccountVisit, state: SecurityState) => Promise<Response> | Response } = {
  add: addPage,
  rename: renamePage,
  remove: removePage,
  "recovery-code": newRecoveryCodePage,
};

/** The changes. Each requires a factor that the user passed a moment ago. */
const changes: { readonly [action: string]: (visit: AccountVisit, form: SecurityForm) => Promise<Response> } = {
  ...Object.fromEntries(enrollmentActions.map((action) => [action, submitUserFactor])),
  "rename-factor": renameFactor,
  "remove-factor": removeUserFactor,
  "create-recovery-code": createUserRecoveryCode,
};

/**
 * The page on which signed-in users change their second factors and passkeys. It works without JavaScript, except for
 * passkeys and security keys. Each POST redirects to a URL of the page, so that back, forward and reload repeat no change.
 */
export const accountSecurity = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the second factors of the signed-in user, or a page on which they change one",
    findsTenantBySession: true,
    query: z.looseObject({
      client_id: clientIdSchema.exactOptional().meta({
        description: "On a host that several tenants share: a client of the user's tenant. Default: the tenant of the browser's session",
      }),
      tenant: tenantSchema,
      view: short,
      id: factorIdSchema,
      type: short,
      new: newFactorSchema,
      use: short,
      destination: factorIdSchema,
      sent: short,
      channel: short,
      problem: short,
      correction: z.string().max(300).exactOptional(),
      done: short,
    }),
  })(async ({ query, request }, { tenant }) => {
    const { view, id, type, new: added, use, destination, sent, channel, problem, correction, done } = query;
    const visit = await openVisit(tenant, request);
    if (visit === undefined) return noSessionPage(tenant);
    const state: SecurityState = { view, id, type, new: added, use, destination, sent, channel, problem, correction, done };
    const page = view !== undefined && Object.hasOwn(pages, view) ? pages[view] : undefined;
    if (page === undefined) return overviewPage(visit, state);
    return (await requirePermission(visit, state)) ?? page(visit, state);
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Change the second factors of the signed-in user",
    bodyKind: "form",
    body: z.looseObject({
      tenant: tenantSchema,
      csrf: z.string().max(150),
      action: z.string().max(40),
      view: short,
      id: factorIdSchema,
      type: short,
      new: newFactorSchema,
      factor: short,
      destination: factorIdSchema,
      current_factor: short,
      current_destination: factorIdSchema,
      channel: messageTypeSchema.exactOptional(),
      current_channel: short,
      code: z.string().max(100).exactOptional(),
      response: keyResponseField,
      phone: z.string().max(100).exactOptional(),
      name: z.string().max(500).exactOptional(),
    }),
  })(async ({ body, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const visit = await openVisit(tenant, request);
    if (visit === undefined) return redirectResponse(securityUrl(tenant));
    const { csrf, action, code = "", response = "", phone = "", name = "", factor, destination, channel } = body;
    const { current_channel: currentChannel, current_factor: current, current_destination: to } = body;
    const view: SecurityView = { view: body.view, id: body.id, type: body.type, new: body.new };
    // The form belongs to another session: the browser signed in again while the page was open.
    if (!(await isOwnForm(formOwner(visit.session), csrf))) return redirectResponse(securityUrl(tenant, { ...view, problem: "conflict" }));
    return submit(visit, {
      view,
      action,
      code,
      response,
      phone,
      name,
      factor,
      destination,
      current: { factor: current, destination: to },
      channel,
      currentChannel,
      rendering: renderingOf(csrf),
    });
  }),
];

/** Handles a form. A form that changes something leads to the page that asks for a factor, if one is required. */
async function submit(visit: AccountVisit, form: SecurityForm): Promise<Response> {
  const { tenant, permission } = visit;
  const { action, view } = form;
  if (action === "forget-browsers") return forgetBrowsers(visit);
  if (action === "other-new-factor") return redirectResponse(securityUrl(tenant, { view: "add" }));
  if (permission.kind === "challenge" && challengeActions.includes(action))
    return submitProof({ visit, types: permission.types, view }, form);
  const repeated = await repeatRecovery(visit, form);
  if (repeated !== undefined) return repeated;
  const change = Object.hasOwn(changes, action) ? changes[action] : undefined;
  if (change === undefined || permission.kind !== "allowed") {
    const problem = lostFirstFactor(visit, action) ? "already-enrolled" : undefined;
    return redirectResponse(securityUrl(tenant, { ...view, problem }));
  }
  try {
    return await change(visit, form);
  } catch (error) {
    // The factors were frozen since they were read: the page says so.
    if (isPosternError(error) && error.code === "access_denied") return redirectResponse(securityUrl(tenant, view));
    if (!isPosternError(error) || error.code !== "conflict") throw error;
    return redirectResponse(securityUrl(tenant, { ...view, problem: "conflict" }));
  }
}

/** Returns the page that the user sees instead of a change that they may not make now. */
async function requirePermission(visit: AccountVisit, state: SecurityState): Promise<Response | undefined> {
  const { tenant, permission } = visit;
  const { view, id, type, new: added } = state;
  switch (permission.kind) {
    case "allowed":
      return undefined;
    case "challenge":
      return provePage({ visit, types: permission.types, view: { view, id, type, new: added } }, state);
    default: {
      const { kind: reason } = permission;
      const logout = reason === "sign-in-again" ? { logout: logoutUrl(tenant) } : {};
      return pageResponse(tenant, {
        name: "account-closed",
        draw: (drawing) => drawClosed(drawing, { reason, back: securityUrl(tenant), ...logout }),
      });
    }
  }
}

function logoutUrl({ urls, tenantParameter }: RequestTenant): string {
  const parameters = new URLSearchParams(tenantParameter).toString();
  return urls.urlFor("/oidc/logout") + (parameters === "" ? "" : `?${parameters}`);
}

function noSessionPage(tenant: RequestTenant): Promise<Response> {
  return pageResponse(tenant, {
    name: "account-closed",
    status: 403,
    draw: (drawing) => drawClosed(drawing, { reason: "no-session", returnLink: returnLink(tenant, undefined) }),
  });
}
