import { Card, EmptyState, NoticeBox, ShownOnce } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { AreaField, ChoiceField, LineField, PostForm } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { clientPageSchema, shownClientSchema, type ShownClient } from "../resources.ts";
import type { ConsoleScreen, ScreenPage, ScreenRequest, SubmittedForm } from "../screen.ts";
import { appSearch } from "./name-search.ts";
import { linesOf } from "./form-fields.ts";
import { change, pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.apps;

/** The list of apps: the clients of the tenant. */
const appsScreen: ConsoleScreen = {
  path: "/apps",
  async show({ api, query, links, scopes }) {
    const [typed, from] = [query.get("q") ?? "", query.get("from") ?? ""];
    const search = { take: String(pageSize), from, q: appSearch(typed) };
    const found = clientPageSchema.parse(await read(api, ["clients", "search"], search));
    const isFiltered = typed !== "";
    const newApp = (
      <a class="button main" href={links.to(["apps", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return {
      title: texts.title,
      section: "apps",
      ...(scopes.has("create:clients") && { actions: newApp }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} clear={links.to(["apps"])} />
          {found.clients.length === 0 ? (
            <EmptyState
              icon="apps"
              title={isFiltered ? texts.noneFoundTitle : texts.emptyTitle}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && scopes.has("create:clients") && newApp}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.clients}
              rowKey={(client) => client.client_id}
              columns={[
                {
                  title: texts.name,
                  cell: (client) => (
                    <span class="who">
                      <a href={links.to(["apps", client.client_id])}>
                        <bdi>{client.name}</bdi>
                      </a>
                    </span>
                  ),
                },
                { title: texts.type, hasLabel: false, cell: (client) => appType(client) },
                { title: texts.id, cell: (client) => <ExactValue value={client.client_id} what={texts.id} /> },
                {
                  title: texts.party,
                  isTight: true,
                  cell: (client) => (client.is_first_party === false ? texts.thirdParty : texts.firstParty),
                },
              ]}
            />
          )}
          <ListPager
            count={found.clients.length}
            first={from === "" ? undefined : links.to(["apps"], { q: typed })}
            next={found.next === undefined ? undefined : links.to(["apps"], { q: typed, from: found.next })}
          />
        </Card>
      ),
    };
  },
};

/** Returns the type of an app in words. */
export function appType({ app_type: type }: ShownClient): string {
  return texts.types[type ?? ""] ?? type ?? texts.otherType;
}

/** The page that creates an app. */
const newAppScreen: ConsoleScreen = {
  path: "/apps/new",
  show: (request) => newAppPage(request, new URLSearchParams(), undefined),
  async submit(request, form) {
    const type = form.get("app_type") ?? "";
    const isPublic = type === "spa" || type === "native";
    const body = {
      name: form.get("name")?.trim() ?? "",
      app_type: type,
      ...(isPublic && { token_endpoint_auth_method: "none" }),
      ...(type === "non_interactive"
        ? { grant_types: ["client_credentials"] }
        : { callbacks: linesOf(form.get("callbacks") ?? ""), grant_types: ["authorization_code", "refresh_token"] }),
    };
    try {
      return createdPage(request, shownClientSchema.parse(await change(request.api, "POST", ["clients"], body)));
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409].includes(error.status))) throw error;
      return { ...newAppPage(request, form, error.message), status: 400 };
    }
  },
};

const trail = ({ links }: ScreenRequest) => [{ text: texts.title, href: links.to(["apps"]) }];

function newAppPage(request: ScreenRequest, form: SubmittedForm, fault: string | undefined): ScreenPage {
  const chosen = form.get("app_type") ?? "regular_web";
  return {
    title: texts.new,
    section: "apps",
    trail: trail(request),
    body: (
      <Card>
        <div class="in">
          {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
          <PostForm request={request} action={request.links.to(["apps", "new"])} class="form" guards>
            <LineField name="name" label={texts.name} value={form.get("name") ?? ""} required />
            <fieldset>
              <legend>{texts.type}</legend>
              {Object.entries(texts.types).map(([type, title]) => (
                <ChoiceField
                  key={type}
                  type="radio"
                  name="app_type"
                  value={type}
                  title={title}
                  about={texts.typesAbout[type]}
                  checked={type === chosen}
                />
              ))}
            </fieldset>
            <AreaField name="callbacks" label={texts.callbacks} hint={texts.callbacksHint} value={form.get("callbacks") ?? ""} />
            <div class="actions">
              <button type="submit" class="button main">
                {texts.create}
              </button>
              <a class="button" href={request.links.to(["apps"])}>
                {consoleTexts.cancel}
              </a>
            </div>
          </PostForm>
        </div>
      </Card>
    ),
  };
}

function createdPage(request: ScreenRequest, client: ShownClient): ScreenPage {
  return {
    title: texts.created,
    section: "apps",
    trail: [...trail(request), { text: client.name, href: request.links.to(["apps", client.client_id]) }],
    recordId: client.client_id,
    body: <SecretOnce client={client} open={request.links.to(["apps", client.client_id])} />,
  };
}

/** Renders the secret of an app, which is shown only once, and a link to its record. */
export function SecretOnce({ client, open }: { readonly client: ShownClient; readonly open: string }) {
  return (
    <Card title={texts.secretTitle}>
      <div class="in form">
        {client.client_secret ? (
          <>
            <NoticeBox level="warn">{texts.secretAbout}</NoticeBox>
            <ShownOnce value={client.client_secret} what={texts.secretTitle} />
          </>
        ) : (
          <p>{texts.secretNone}</p>
        )}
        <p class="actions">
          <a class="button" href={open}>
            {texts.open}
          </a>
        </p>
      </div>
    </Card>
  );
}

export const appScreens: readonly ConsoleScreen[] = [appsScreen, newAppScreen];
