import * as z from "zod";
import { Card, NoticeBox } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import { readDomain, type domainSchema } from "./domain-frame.ts";
import { change } from "./read-parts.ts";
import { newForm } from "./record-form.tsx";
import { settingsRecordPage, tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.domains;

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
  return settingsRecordPage(
    request,
    "domains",
    { id, name: domain },
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
    return settingsRecordPage(
      request,
      "domains",
      { id, name: domain },
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

/** The screens that add, test and delete a custom domain. */
export const domainChangeScreens: readonly ConsoleScreen[] = [newScreen, testScreen, deleteScreen];
