import { brandingFor } from "../../branding/branding.ts";
import { drawPreview } from "../../branding/preview.tsx";
import { tenantNameOf } from "../../branding/tenant-name.ts";
import { chooseLocale } from "../../locales/locale.ts";
import { translator } from "../../locales/translate.ts";
import { brandingPreviewSchema, fromUpdateBranding, updateBrandingSchema } from "../../model/tenant/branding.ts";
import { route } from "../../tenants/callers/route-context.ts";

/** The route that renders a preview of the login pages. A Postern extension. */
export const brandingPreview = route({
  method: "POST",
  path: "/api/v2/branding/preview",
  operation: "branding.preview",
  summary: "Preview the login page with a branding",
  description:
    "The body has the members that differ from the stored branding, as in `PATCH /api/v2/branding`. Nothing is stored. " +
    "`html` is a document without forms, links and scripts. Display it in a sandboxed frame.",
  scopes: ["read:branding"],
  body: updateBrandingSchema,
  responses: { 200: brandingPreviewSchema },
})(async ({ body }, { tenant }) => {
  const { record, settings, translations, requestInfo } = tenant;
  const locale = chooseLocale({ acceptLanguage: requestInfo.acceptLanguage, enabled: settings.enabled_locales, available: translations });
  const t = await translator(translations, locale, settings.form_of_address);
  const branding = brandingFor(fromUpdateBranding(record, body), undefined);
  return { html: drawPreview({ t, tenantName: tenantNameOf(tenant), branding }) };
});
