import * as z from "zod";
import { clientNameOf } from "../../../branding/client-name.ts";
import { redirectResponse } from "../../../http/html.ts";
import { findOwnGrants, removeOwnGrant, type OwnGrant } from "../../../tokens/own-grants.ts";
import { dateText } from "../date-text.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawApps, drawRemoveApp } from "./page.tsx";

/** The section in which users see which applications have access to their account, and remove the access. */
export const appsSection: AccountSection = {
  name: "apps",
  title: "appsTitle",
  summaries: {
    show: "Show the applications that have access to the account of the signed-in user",
    change: "Remove the access of an application to the account of the signed-in user",
  },
  fields: { client: z.string().max(64).exactOptional() },
  overview,
  pages: { remove: removePage },
  changes: { "remove-app": removeApp },
};

async function overview(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { tenant, user, isReadOnly } = visit;
  const grants = await findOwnGrants(tenant, user.user_id);
  const names = await Promise.all(grants.map((grant) => nameOfApp(visit, grant)));
  return sectionPage(
    visit,
    {},
    {
      name: "account-apps",
      hasExits: true,
      draw: (drawing) =>
        drawApps(
          { ...drawing, problem: problemNamed(problem) },
          {
            apps: grants.map(({ clientId, scope, since }, index) => ({
              id: clientId,
              name: names[index] ?? clientId,
              scope,
              since: dateText(visit, drawing.t, since),
              remove: isReadOnly ? undefined : sectionUrl(visit, { view: "remove", id: clientId }),
            })),
            isRemoved: done === "removed",
          },
        ),
    },
  );
}

async function removePage(visit: AccountVisit, { id }: AccountState): Promise<Response> {
  const grant = await findGrant(visit, id);
  if (grant === undefined) return redirectResponse(sectionUrl(visit));
  const name = await nameOfApp(visit, grant);
  return sectionPage(
    visit,
    { view: "remove", id },
    { name: "account-apps", draw: (drawing) => drawRemoveApp(drawing, { name, back: sectionUrl(visit) }) },
  );
}

async function removeApp(visit: AccountVisit, { view }: AccountForm): Promise<Response> {
  const { tenant, user } = visit;
  const grant = await findGrant(visit, view.id);
  if (grant === undefined) return redirectResponse(sectionUrl(visit));
  const { clientId } = grant;
  await removeOwnGrant(tenant, user, { clientId, client: await tenant.client(clientId) });
  return redirectResponse(sectionUrl(visit, { done: "removed" }));
}

async function findGrant({ tenant, user }: AccountVisit, id: string | undefined): Promise<OwnGrant | undefined> {
  return id === undefined ? undefined : (await findOwnGrants(tenant, user.user_id, id))[0];
}

/** Returns the name of an application. An external client without a document, or a deleted one, has only its id. */
async function nameOfApp({ tenant }: AccountVisit, { clientId }: OwnGrant): Promise<string> {
  const client = await tenant.client(clientId);
  return (client && clientNameOf(client)) ?? clientId;
}
