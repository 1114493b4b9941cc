import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { linkedAccounts } from "../../../identity/users/linked-accounts.ts";
import { canUnlink, unlinkOwnAccount } from "../../../identity/users/unlink-own-account.ts";
import { availableMethods } from "../../../login/available-methods.ts";
import { nameOf } from "../../../login/steps/name-of.ts";
import type { Row } from "../../../store/schema.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { providersOnPage, chooseProviderPage, startLink } from "./link.ts";
import { drawLinkedAccounts, drawUnlink } from "./page.tsx";

/** The section in which users see, link and unlink accounts at identity providers. */
export const linkedAccountsSection: AccountSection = {
  name: "linked_accounts",
  title: "linkedTitle",
  summaries: {
    show: "Show the accounts that are linked to the account of the signed-in user",
    change: "Link an account to the account of the signed-in user, or unlink one",
  },
  fields: { connection: z.string().max(128).exactOptional() },
  overview,
  pages: { unlink: unlinkPage, link: chooseProviderPage },
  changes: { "unlink-account": unlink, "continue-with": startLink },
};

const results = ["linked", "unlinked"] as const;

async function overview(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { isReadOnly } = visit;
  const accounts = await linkedTo(visit);
  const hasLinkable = !isReadOnly && (await providersOnPage(visit)).length > 0;
  const names = await Promise.all(accounts.map((account) => connectionLabel(visit, account)));
  return sectionPage(
    visit,
    {},
    {
      name: "account-linked",
      hasExits: true,
      draw: (drawing) =>
        drawLinkedAccounts(
          { ...drawing, problem: problemNamed(problem) },
          {
            accounts: accounts.map((account, index) => ({
              id: account.user_id,
              provider: names[index] ?? account.connection,
              account: nameOf(account),
              unlink: isReadOnly ? undefined : sectionUrl(visit, { view: "unlink", id: account.user_id }),
            })),
            link: hasLinkable ? sectionUrl(visit, { view: "link" }) : undefined,
            done: results.find((result) => result === done),
          },
        ),
    },
  );
}

async function unlinkPage(visit: AccountVisit, { id }: AccountState): Promise<Response> {
  const { user, factors } = visit;
  const account = (await linkedTo(visit)).find(({ user_id: accountId }) => accountId === id);
  if (account === undefined) return redirectResponse(sectionUrl(visit));
  const decision = canUnlink({ user, methods: await primaryMethods(visit) }, factors, account.user_id);
  const screen = { provider: await connectionLabel(visit, account), decision, back: sectionUrl(visit) };
  return sectionPage(visit, { view: "unlink", id }, { name: "account-linked", draw: (drawing) => drawUnlink(drawing, screen) });
}

async function unlink(visit: AccountVisit, { view }: AccountForm): Promise<Response> {
  const { tenant, user, place } = visit;
  const methods = await primaryMethods(visit);
  const result = await unlinkOwnAccount(tenant, { user, methods, client: place.client }, view.id ?? "");
  if (result === "unlinked") return redirectResponse(sectionUrl(visit, { done: "unlinked" }));
  return redirectResponse(sectionUrl(visit, result === "absent" || result === "outdated" ? {} : view));
}

async function linkedTo({ tenant, user }: AccountVisit): Promise<readonly Row<"users">[]> {
  return user.linked_count === 0 ? [] : linkedAccounts(tenant.data, [user.user_id]);
}

/**
 * Returns the methods of the primary account's connection at the client of the page. A page without a client uses the clients
 * of the session.
 */
async function primaryMethods({ tenant, place, user, session }: AccountVisit): Promise<AvailableMethods> {
  const clients = place.client === undefined ? await Promise.all(session.clients.map((id) => tenant.client(id))) : [place.client];
  const known = clients.filter((client) => client !== undefined);
  return (await Promise.all(known.map((client) => availableMethods(tenant, client, { connection: user.connection })))).flat();
}

type AvailableMethods = Awaited<ReturnType<typeof availableMethods>>;

/** Returns the name of an account's connection, as users see it. */
async function connectionLabel({ tenant }: AccountVisit, { connection }: Row<"users">): Promise<string> {
  return (await tenant.connections.named(connection))?.display_name || connection;
}
