import * as z from "zod";
import { Card, EmptyState, FactList, MissingScope, NoticeBox } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { DataTable } from "../components/table.tsx";
import { StateBadge, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import type { ConsoleScreen, ScreenPage, ScreenRequest } from "../screen.ts";
import { textsOfRecord } from "./form-fields.ts";
import { mailProviderScreens, readProvider, shownFields } from "./mail-provider.tsx";
import { mailTemplateScreens } from "./mail-templates.tsx";
import { change, readPart } from "./read-parts.ts";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.mail;

/** Reads the provider. Undefined if the tenant has none. */
async function findProvider(request: ScreenRequest) {
  try {
    return await readProvider(request);
  } catch (error) {
    if (error instanceof ManagementError && error.status === 404) return undefined;
    throw error;
  }
}

/** How the tenant sends email: the provider and the templates. */
const mailScreen: ConsoleScreen = {
  path: "/settings/mail",
  async show(request) {
    const { links, scopes } = request;
    const provider = await readPart(findProvider(request));
    const test = scopes.has("update:email_provider") && (
      <a class="button" href={links.to(["settings", "mail", "test"])}>
        {texts.test}
      </a>
    );
    return tenantSettingsPage(
      request,
      "mail",
      <div class="stack">
        {"value" in provider ? (
          <ProviderCard request={request} provider={provider.value} />
        ) : (
          <Card title={texts.provider}>
            <MissingScope scopes={provider.missingScopes} />
          </Card>
        )}
        <TemplateCard request={request} />
      </div>,
      test,
    );
  },
};

type ShownProvider = Awaited<ReturnType<typeof findProvider>>;

function ProviderCard({ request, provider }: { readonly request: ScreenRequest; readonly provider: ShownProvider }) {
  const { links, scopes } = request;
  if (provider === undefined) {
    const choose = scopes.has("create:email_provider") && (
      <a class="button main" href={links.to(["settings", "mail", "new"])}>
        {texts.choose}
      </a>
    );
    return (
      <Card title={texts.provider}>
        <EmptyState icon="settings" title={texts.emptyTitle} text={texts.empty} action={choose} />
      </Card>
    );
  }
  const { name, enabled, default_from_address: from } = provider;
  const fields = shownFields(name);
  const shown = textsOfRecord(fields, provider);
  return (
    <Card
      title={texts.provider}
      about={texts.providerAbout}
      actions={
        <>
          {scopes.has("update:email_provider") && (
            <a class="button small" href={links.to(["settings", "mail", "edit"])} aria-label={`${consoleTexts.edit}: ${texts.provider}`}>
              {consoleTexts.edit}
            </a>
          )}
          {scopes.has("delete:email_provider") && (
            <a class="button small bad" href={links.to(["settings", "mail", "delete"])}>
              {texts.delete}
            </a>
          )}
        </>
      }
    >
      <FactList
        items={[
          [texts.name, texts.names[name] ?? name],
          [
            texts.enabled,
            <StateBadge level={enabled === false ? "bad" : "good"}>{enabled === false ? consoleTexts.no : consoleTexts.yes}</StateBadge>,
          ],
          [texts.from, <ValueOrDash>{from}</ValueOrDash>],
          ...fields.map((field) => [field.label, <ValueOrDash>{shown[field.name]}</ValueOrDash>] as const),
        ]}
      />
    </Card>
  );
}

function TemplateCard({ request: { links, scopes } }: { readonly request: ScreenRequest }) {
  if (!scopes.has("read:email_templates")) {
    return (
      <Card title={texts.templates}>
        <MissingScope scopes={["read:email_templates"]} />
      </Card>
    );
  }
  return (
    <Card title={texts.templates} about={texts.templatesAbout}>
      <DataTable
        caption={texts.templates}
        rows={Object.entries(texts.templateNames)}
        rowKey={([name]) => name}
        columns={[
          {
            title: texts.template,
            cell: ([name, title]) => (
              <span class="who">
                <a href={links.to(["settings", "mail", "templates", name])}>{title}</a>
              </span>
            ),
          },
          { title: texts.templateName, isTight: true, isMinor: true, cell: ([name]) => <code>{name}</code> },
        ]}
      />
    </Card>
  );
}

const resultSchema = z.looseObject({ success: z.boolean(), to: z.string(), message: z.string() });

function testPage(request: ScreenRequest, result?: z.infer<typeof resultSchema>): ScreenPage {
  const address = request.session.user.email ?? consoleTexts.none;
  return tenantSettingsPage(
    request,
    "mail",
    <Card title={texts.testTitle} about={texts.testAbout(address)}>
      <div class="in form">
        {result !== undefined && (
          <NoticeBox level={result.success ? "good" : "bad"}>{result.success ? texts.testSent(result.to) : result.message}</NoticeBox>
        )}
        <div class="actions">
          <ActionButton request={request} action={request.links.to(["settings", "mail", "test"])} hidden={{}} kind="main">
            {result === undefined ? texts.test : texts.testAgain}
          </ActionButton>
          <a class="button" href={tenantSettingsPath(request, "mail")}>
            {texts.back}
          </a>
        </div>
      </div>
    </Card>,
  );
}

/** The page that sends a test email to the operator, and shows whether the sender accepted it. */
const testScreen: ConsoleScreen = {
  path: "/settings/mail/test",
  show: (request) => testPage(request),
  submit: async (request) => testPage(request, resultSchema.parse(await change(request.api, "POST", ["emails", "provider", "test"]))),
};

/** The screens of email. */
export const mailScreens: readonly ConsoleScreen[] = [mailScreen, testScreen, ...mailProviderScreens, ...mailTemplateScreens];
