import * as z from "zod";
import { identifierKinds } from "../../identity/login/identifier.ts";
import { redirectResponse } from "../../http/html.ts";
import { readRemembered } from "../../login/cookies.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { pageResponse } from "../../login/page.ts";
import { drawLinkRequest } from "../../login/pages/link-request.tsx";
import { readTyped } from "../../login/steps/problems.ts";
import { requestPasswordReset } from "../../messages/request-password-reset.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import { findDatabase } from "../../oauth/dbconnections/database.ts";
import { resultPage } from "./result-page.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

const definition = {
  path: "/u/forgot-password",
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["client_id"],
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to the page" },
    429: { error: "a page: the client address requested too many messages" },
  },
} as const;

const sentClientIdSchema = clientIdSchema.exactOptional();
const uiLocalesSchema = z.string().max(255).exactOptional();

/**
 * The page on which users request a link to set a new password outside of a login. Its response is the same whether or
 * not the account exists.
 */
export const forgotPassword = [
  route({
    ...definition,
    method: "GET",
    summary: "Show the form that requests a link to set a new password",
    query: z.looseObject({
      client_id: sentClientIdSchema,
      ui_locales: uiLocalesSchema,
      outcome: z.enum(["sent", "missing"]).exactOptional(),
    }),
  })(async ({ query: { client_id: clientId, ui_locales: uiLocales, outcome } }, { tenant }) => {
    const { client, database } = await findDatabase(tenant, clientId === undefined ? {} : { client_id: clientId });
    if (outcome === "sent") return resultPage(tenant, { outcome: "sent", client, uiLocales });
    const kinds = database === undefined ? [] : identifierKinds(database);
    return pageResponse(tenant, {
      name: "link-request",
      draw: (drawing) => drawLinkRequest(drawing, { kinds, missing: outcome === "missing" }),
      action: tenant.urls.urlFor(definition.path),
      hidden: { ...(clientId !== undefined && { client_id: clientId }), ...(uiLocales !== undefined && { ui_locales: uiLocales }) },
      client,
      uiLocales,
    });
  }),
  route({
    ...definition,
    method: "POST",
    summary: "Send a link to set a new password",
    bodyKind: "form",
    body: z.looseObject({ client_id: sentClientIdSchema, ui_locales: uiLocalesSchema, identifier: z.string().max(1000).exactOptional() }),
  })(async ({ body: { client_id: clientId, ui_locales: uiLocales, identifier = "" }, request }, { tenant }) => {
    checkOwnForm(tenant, request);
    const { client, database } = await findDatabase(tenant, clientId === undefined ? {} : { client_id: clientId });
    const typed = readTyped(identifier);
    const { accounts: marks } = readRemembered(tenant, request);
    if (typed === undefined) return redirectResponse(forgotPasswordPage(tenant, client, { uiLocales, outcome: "missing" }));
    const refusal = await requestPasswordReset(tenant, { connection: database, identifier: typed, marks, client, uiLocales });
    if (refusal !== undefined) throw refusal;
    return redirectResponse(forgotPasswordPage(tenant, client, { uiLocales, outcome: "sent" }));
  }),
  route({
    method: "GET",
    path: "/.well-known/change-password",
    summary: "Redirect to the page for changing passwords (W3C: A Well-Known URL for Changing Passwords)",
    scopes: "public",
    errorFormat: "page",
    responses: { 303: { error: "redirects to the page" } },
  })(async (_input, { tenant }) => redirectResponse(forgotPasswordPage(tenant))),
];
