import * as z from "zod";
import { Card, EmptyState } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { DataTable } from "../components/table.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen } from "../screen.ts";
import { appFrame } from "./app-frame.tsx";
import { appGrantScreens, appGrantSchema, type ShownAppGrant } from "./app-grant.tsx";
import { maximumChoices } from "./choice-form.tsx";
import { read } from "./read-parts.ts";

const texts = consoleTexts.appAccess;

const grantPageSchema = z.looseObject({ client_grants: z.array(appGrantSchema) });

const accessOf = ({ subject_type: subject }: ShownAppGrant): string =>
  typeof subject === "string" ? (texts.subjects[subject] ?? subject) : texts.anySubject;

/** The APIs that the app may use. */
const apisScreen = appFrame.tab({
  tab: "apis",
  read: async ({ api }, id) =>
    grantPageSchema.parse(await read(api, ["client-grants"], { client_id: id, take: String(maximumChoices) })).client_grants,
  actions: ({ links, scopes }, { client_id: id }) =>
    scopes.has("create:client_grants") && (
      <a class="button main" href={links.to(["apps", id, "apis", "add"])}>
        <ConsoleIcon name="plus" />
        {texts.allow}
      </a>
    ),
  body: (grants, { links }, { client_id: id }) => (
    <Card title={consoleTexts.apps.tabs.apis} about={texts.apisAbout}>
      {grants.length === 0 ? (
        <EmptyState icon="apis" text={texts.apisEmpty} />
      ) : (
        <DataTable
          caption={consoleTexts.apps.tabs.apis}
          rows={grants}
          rowKey={(grant) => grant.id}
          columns={[
            {
              title: texts.api,
              cell: (grant) => (
                <a href={links.to(["apps", id, "apis", grant.id])}>
                  <bdi>{grant.audience}</bdi>
                </a>
              ),
            },
            { title: texts.access, cell: accessOf },
            {
              title: texts.permissions,
              isTight: true,
              cell: ({ allow_all_scopes: all, scope }) => (all === true ? texts.allPermissions : String(scope?.length ?? 0)),
            },
          ]}
        />
      )}
    </Card>
  ),
});

/** The screens about the APIs that an app may use. */
export const appApiScreens: readonly ConsoleScreen[] = [apisScreen, ...appGrantScreens];
