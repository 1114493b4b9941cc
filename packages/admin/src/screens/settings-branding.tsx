import * as z from "zod";
import { Card, FactList, NoticeBox } from "../components/blocks.tsx";
import { ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { previewErrorHeaders, previewHeaders } from "../console-headers.ts";
import { changedMembers, textsOfRecord, type FormField } from "./form-fields.ts";
import { change, read, readDetail } from "./read-parts.ts";
import { editForm, type FormBody } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.branding;

const brandingSchema = z.looseObject({ colors: z.looseObject({ page_background: z.unknown().optional() }).nullish() });

/** Whether a field is the color of a page that has a gradient, which the form does not change. */
const hasGradient = (field: string, { colors }: z.infer<typeof brandingSchema>): boolean =>
  field === "colors.page_background" && typeof colors?.page_background === "object" && colors.page_background !== null;

const readBranding = async ({ api }: ScreenRequest) => brandingSchema.parse(await read(api, ["branding"]));

const fields: readonly FormField[] = [
  { name: "colors.primary", label: texts.primary, hint: texts.primaryHint, kind: "line" },
  { name: "colors.page_background", label: texts.background, kind: "line" },
  { name: "logo_url", label: texts.logo, hint: texts.logoHint, kind: "line" },
  { name: "logo_url_dark", label: texts.darkLogo, kind: "line" },
  { name: "favicon_url", label: texts.favicon, kind: "line" },
  { name: "font.url", label: texts.font, kind: "line" },
];

/** Renders the preview in a frame without any permission. Another form of the page can send its fields to the frame. */
function PreviewFrame({ request }: { readonly request: ScreenRequest }) {
  return (
    <Card title={texts.preview} about={texts.previewAbout}>
      <iframe
        class="preview"
        name="preview"
        title={texts.previewFrame}
        sandbox=""
        src={request.links.to(["settings", "branding", "preview"])}
      />
    </Card>
  );
}

/** The branding of the login pages, with a preview. */
const brandingScreen: ConsoleScreen = {
  path: "/settings/branding",
  async show(request) {
    const { api, links, scopes } = request;
    const [branding, theme] = await Promise.all([readBranding(request), readDetail(read(api, ["branding", "themes", "default"]))]);
    const shown = textsOfRecord(fields, branding);
    const edit = scopes.has("update:branding") && (
      <a class="button" href={links.to(["settings", "branding", "edit"])}>
        {consoleTexts.edit}
      </a>
    );
    return tenantSettingsPage(
      request,
      "branding",
      <>
        {theme !== undefined && <NoticeBox level="warn">{texts.themeAbout}</NoticeBox>}
        <div class="beside">
          <Card title={texts.title} about={texts.about}>
            <FactList
              items={fields.map(({ name, label }) => [
                label,
                <ValueOrDash>{shown[name] || (hasGradient(name, branding) && texts.gradient) || ""}</ValueOrDash>,
              ])}
            />
          </Card>
          <PreviewFrame request={request} />
        </div>
      </>,
      edit,
    );
  },
};

/** Replaces empty texts by null, which removes a member. */
function withoutEmpty(body: FormBody): FormBody {
  const entries = Object.entries(body).map(([name, value]) => {
    if (typeof value === "object" && value !== null) return [name, withoutEmpty({ ...value })] as const;
    return [name, value === "" ? null : value] as const;
  });
  return Object.fromEntries(entries);
}

/** The page that changes the branding. Its button Preview sends the fields to the frame. */
const editScreen = editForm({
  path: "/settings/branding/edit",
  title: texts.edit,
  about: texts.editAbout,
  needsRecentSignIn: true,
  read: readBranding,
  fields: () => fields,
  page: (request, _, form) =>
    tenantSettingsPage(
      request,
      "branding",
      <div class="beside">
        {form}
        <PreviewFrame request={request} />
      </div>,
    ),
  extra: ({ links }) => (
    <button type="submit" class="button" formaction={links.to(["settings", "branding", "preview"])} formtarget="preview">
      {texts.preview}
    </button>
  ),
  save: ({ api }, body) => change(api, "PATCH", ["branding"], withoutEmpty(body)),
  after: (request, done) => tenantSettingsPath(request, "branding", { done }),
  cancel: (request) => tenantSettingsPath(request, "branding"),
});

const previewSchema = z.looseObject({ html: z.string() });

/** Returns the document in the frame. A page of the console cannot be framed, so an error is plain text. */
async function previewResponse({ api }: ScreenRequest, body: FormBody): Promise<Response> {
  try {
    const { html } = previewSchema.parse(await change(api, "POST", ["branding", "preview"], withoutEmpty(body)));
    return new Response(html, { headers: previewHeaders });
  } catch (error) {
    if (!(error instanceof ManagementError)) throw error;
    return new Response(error.message, { status: error.status, headers: previewErrorHeaders });
  }
}

/** The document in the frame: the login page with the stored branding, or with the fields of the form. */
const previewScreen: ConsoleScreen = {
  path: "/settings/branding/preview",
  isFramed: true,
  show: (request) => previewResponse(request, {}),
  submit: (request, form) => previewResponse(request, changedMembers(fields, form)),
};

/** The screens of the branding. */
export const brandingScreens: readonly ConsoleScreen[] = [brandingScreen, editScreen, previewScreen];
