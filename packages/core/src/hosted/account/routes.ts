import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { redirectResponse } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { isOwnForm } from "../../login/form-token.ts";
import { checkOwnForm } from "../../login/own-form.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { accountPath } from "../../tenants/ticket-links.ts";
import { accountHomePage } from "./home.ts";
import { accountUrl, readPlace } from "./place.ts";
import { accountPlaceFields, sectionFormFields, sectionQuerySchema } from "./route-fields.ts";
import type { AccountSection } from "./section.ts";
import { formOwner, sectionUrl } from "./section-page.tsx";
import { sections } from "./sections.ts";
import { shownSections } from "../../tenants/account-sections.ts";
import { noSessionPage, signInAtPage } from "./sign-in.ts";
import { showSection } from "./show-section.ts";
import { submitSection, toForm } from "./submit-section.ts";
import { openVisit, readVisitor } from "./visit.ts";

const definition = {
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["tenant", "client_id"],
  responses: {
    200: { error: "the page" },
    303: { error: "redirects to the page, or to the login" },
    400: { error: "an HTML error page: the client is not a first-party client of the tenant, or `returnTo` is not allowed" },
    403: { error: "an HTML error page: no user is signed in, or the form was sent from another site" },
    404: { error: "an HTML error page: the tenant hides the section" },
  },
} as const;

/**
 * The page on which signed-in users see and change their account. It works without JavaScript, except for passkeys and
 * security keys. Each POST redirects to a URL of the page, so that back, forward and reload repeat no change.
 */
export const accountRoutes: readonly Route[] = [
  route({
    ...definition,
    method: "GET",
    path: accountPath,
    summary: "List the sections of the account page",
    findsTenantBySession: true,
    hasSideEffects: true,
    query: z.looseObject(accountPlaceFields),
  })(async ({ query, request }, { tenant }) => {
    const place = await readPlace(tenant, query);
    const [only, ...others] = shownSections(tenant);
    if (only === undefined) throw hiddenSection();
    if (others.length === 0) return redirectResponse(accountUrl(place, only));
    const visitor = await readVisitor(place, request);
    if (visitor !== undefined) return accountHomePage(place, visitor);
    return place.client === undefined ? noSessionPage(place) : signInAtPage(place, request, accountUrl(place), []);
  }),
  ...sections.flatMap(routesOf),
];

function routesOf(section: AccountSection): readonly Route[] {
  const { name, summaries, fields = {} } = section;
  const path = `${accountPath}/${name}` as const;
  return [
    route({
      ...definition,
      method: "GET",
      path,
      summary: summaries.show,
      findsTenantBySession: true,
      hasSideEffects: true,
      query: sectionQuerySchema,
    })(async ({ query, request }, { tenant }) => {
      const place = await readPlace(tenant, query);
      if (!shownSections(tenant).includes(name)) throw hiddenSection();
      const { view, id, type, new: added, use, destination, sent, channel, problem, correction, unkept, done } = query;
      const state = { view, id, type, new: added, use, destination, sent, channel, problem, correction, unkept, done };
      const visitor = await readVisitor(place, request);
      if (visitor !== undefined) return showSection(section, await openVisit(place, name, visitor), state);
      const page = await section.withoutVisitor?.(place, request);
      if (page !== undefined) return page;
      return place.client === undefined ? noSessionPage(place) : signInAtPage(place, request, accountUrl(place, name, { view, id }), []);
    }),
    route({
      ...definition,
      method: "POST",
      path,
      summary: summaries.change,
      bodyKind: "form",
      body: z.looseObject({ ...sectionFormFields, ...fields }),
    })(async ({ body, request }, { tenant }) => {
      checkOwnForm(tenant, request);
      const place = await readPlace(tenant, body);
      if (!shownSections(tenant).includes(name)) throw hiddenSection();
      const visitor = await readVisitor(place, request);
      if (visitor === undefined) return redirectResponse(accountUrl(place, name));
      const visit = await openVisit(place, name, visitor);
      const form = toForm(body);
      // The form belongs to another session: the browser signed in again while the page was open.
      if (!(await isOwnForm(formOwner(visit.session), body.csrf)))
        return redirectResponse(sectionUrl(visit, { ...form.view, problem: "conflict" }));
      return submitSection(section, visit, form, request);
    }),
  ];
}

function hiddenSection(): PosternError {
  return new PosternError("not_found", "this tenant does not show this page to its users");
}
