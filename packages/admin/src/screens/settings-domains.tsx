import * as z from "zod";
import { Card, EmptyState, FactList, NoticeBox } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { ExactValue, StateBadge, Timestamp } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import { change, read } from "./read-parts.ts";
import { newForm } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.domains;

/** A custom domain. */
const domainSchema = z.looseObject({
  custom_domain_id: z.string(),
  domain: z.string(),
  status: z.string(),
  created_at: z.string().nullish(),
  verification: z
    .looseObject({
      methods: z.array(z.looseObject({ domain: z.string().nullish(), record: z.string().nullish() })).nullish(),
      error_msg: z.string().nullish(),
    })
    .nullish(),
});

/** The custom domains, each with the record that its DNS needs. */
const domainsScreen: ConsoleScreen = {
  path: "/settings/domains",
  async show(request) {
    const { api, links, now, scopes } = request;
    const domains = z.array(domainSchema).parse(await read(api, ["custom-domains"]));
    const add = scopes.has("create:custom_domains") && (
      <a class="button main" href={links.to(["settings", "domains", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.add}
      </a>
    );
    return tenantSettingsPage(
      request,
      "domains",
      <div class="stack">
        {domains.length === 0 && (
          <Card>
            <EmptyState icon="settings" title={texts.emptyTitle} text={texts.empty} action={add} />
          </Card>
        )}
        {domains.map(({ custom_domain_id: id, domain, status, verification, created_at: at }) => {
          const [method] = verification?.methods ?? [];
          const isReady = status === "ready";
          return (
            <Card
              key={id}
              title={domain}
              actions={
                <>
                  {isReady && (
                    <a class="button small" href={links.to(["settings", "domains", id, "test"])} aria-label={`${texts.test} ${domain}`}>
                      {texts.test}
                    </a>
                  )}
                  {!isReady && scopes.has("create:custom_domains") && (
                    <ActionButton
                      request={request}
                      action={tenantSettingsPath(request, "domains")}
                      hidden={{ id }}
                      kind="small"
                      label={`${texts.verify} ${domain}`}
                    >
                      {texts.verify}
                    </ActionButton>
                  )}
                  {scopes.has("delete:custom_domains") && (
                    <a
                      class="button small bad"
                      href={links.to(["settings", "domains", id, "delete"])}
                      aria-label={`${consoleTexts.delete} ${domain}`}
                    >
                      {consoleTexts.delete}
                    </a>
                  )}
                </>
              }
            >
              {!isReady && verification?.error_msg && (
                <div class="in">
                  <NoticeBox level="warn">{verification.error_msg}</NoticeBox>
                </div>
              )}
              <FactList
                items={[
                  [texts.state, <StateBadge level={isReady ? "good" : "warn"}>{texts.states[status] ?? status}</StateBadge>],
                  [texts.created, <Timestamp at={at} now={now} />],
                  ...(isReady || !method?.domain || !method.record
                    ? []
                    : [
                        [texts.recordName, <ExactValue value={method.domain} what={texts.recordName} />] as const,
                        [texts.recordValue, <ExactValue value={method.record} what={texts.recordValue} />] as const,
                      ]),
                ]}
              />
            </Card>
          );
        })}
      </div>,
      domains.length > 0 && add,
    );
  },
  async submit(request, form) {
    const verified = await change(request.api, "POST", ["custom-domains", form.get("id") ?? "", "verify"]);
    const isReady = domainSchema.parse(verified).status === "ready";
    return redirectTo(tenantSettingsPath(request, "domains", isReady ? { done: "domain-verified" } : {}));
  },
};

/** The page that adds a custom domain. */
const newScreen = newForm({
  path: "/settings/domains/new",
  title: texts.add,
  about: texts.addAbout,
  needsRecentSignIn: true,
  submit: texts.add,
  fields: () => [{ name: "domain", label: texts.domain, hint: texts.domainHint, kind: "line", required: true }],
  page: (request, form) => tenantSettingsPage(request, "domains", form),
  create: async (request, body) => {
    // Postern issues no certificates: the host ends TLS.
    await change(request.api, "POST", ["custom-domains"], { ...body, type: "self_managed_certs" });
    return tenantSettingsPath(request, "domains", { done: "domain-added" });
  },
  cancel: (request) => tenantSettingsPath(request, "domains"),
});

const readDomain = async ({ api, params: { id = "" } }: ScreenRequest) => domainSchema.parse(await read(api, ["custom-domains", id]));

/** The page that tests whether a custom domain leads to the service. The test sends a request, so a form starts it. */
const testScreen: ConsoleScreen = {
  path: "/settings/domains/:id/test",
  show: async (request) => testPage(request, await readDomain(request)),
  async submit(request) {
    const [record, result] = await Promise.all([
      readDomain(request),
      change(request.api, "POST", ["custom-domains", request.params["id"] ?? "", "test"]),
    ]);
    return testPage(request, record, testSchema.parse(result));
  },
};

const testSchema = z.looseObject({ success: z.boolean(), message: z.string() });

function testPage(
  request: ScreenRequest,
  { custom_domain_id: id, domain }: z.infer<typeof domainSchema>,
  result?: z.infer<typeof testSchema>,
): ScreenPage {
  return tenantSettingsPage(
    request,
    "domains",
    <Card title={texts.testTitle(domain)} about={texts.testAbout}>
      <div class="in form">
        {result !== undefined && <NoticeBox level={result.success ? "good" : "bad"}>{result.message}</NoticeBox>}
        <div class="actions">
          <ActionButton request={request} action={request.links.to(["settings", "domains", id, "test"])} hidden={{}} kind="main">
            {result === undefined ? texts.test : texts.testAgain}
          </ActionButton>
          <a class="button" href={tenantSettingsPath(request, "domains")}>
            {texts.back}
          </a>
        </div>
      </div>
    </Card>,
  );
}

/** The page that deletes a custom domain. */
const deleteScreen: ConsoleScreen = {
  path: "/settings/domains/:id/delete",
  needsRecentSignIn: true,
  async show(request) {
    const { custom_domain_id: id, domain } = await readDomain(request);
    return tenantSettingsPage(
      request,
      "domains",
      <ConfirmCard
        request={request}
        title={texts.deleteTitle(domain)}
        about={texts.deleteAbout}
        action={request.links.to(["settings", "domains", id, "delete"])}
        confirm={texts.delete}
        back={tenantSettingsPath(request, "domains")}
      />,
    );
  },
  async submit(request) {
    await change(request.api, "DELETE", ["custom-domains", request.params["id"] ?? ""]);
    return redirectTo(tenantSettingsPath(request, "domains", { done: "domain-deleted" }));
  },
};

/** The screens of custom domains. */
export const domainScreens: readonly ConsoleScreen[] = [domainsScreen, newScreen, testScreen, deleteScreen];
