import * as z from "zod";
import { Card, EmptyState, FactList, NoticeBox } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { ExactValue, StateBadge, Timestamp } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
import { domainChangeScreens } from "./domain-changes.tsx";
import { domainSchema } from "./domain-frame.ts";
import { change, read } from "./read-parts.ts";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.domains;

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

/** The screens of custom domains. */
export const domainScreens: readonly ConsoleScreen[] = [domainsScreen, ...domainChangeScreens];
