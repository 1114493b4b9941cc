import type { Drawing, PageParts } from "../../../login/components/drawing.ts";
import { Form, FormAction } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";

/**
 * Draws the page on which users learn about the data that they can download.
 * @param shown.download the URL of the page with the download. Undefined if the tenant does not let users download.
 */
export function drawExport({ t }: Drawing, { download }: { readonly download: string | undefined }): PageParts {
  return {
    title: t.text("exportTitle"),
    content: (
      <>
        <p class="lead">{t.text("exportLead")}</p>
        {download !== undefined && (
          <a class="button main" href={download}>
            {t.text("exportSubmit")}
          </a>
        )}
      </>
    ),
  };
}

/** Draws the page with the button that starts the download. */
export function drawDownload({ frame, t }: Drawing, { back }: { readonly back: string }): PageParts {
  return {
    title: t.text("exportTitle"),
    content: (
      <>
        <p class="lead">{t.text("exportReady")}</p>
        <Form frame={frame}>
          <FormAction value="download">{t.text("exportSubmit")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
