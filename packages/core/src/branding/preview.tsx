import type { JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Translate } from "../locales/translate.ts";
import type { PageBranding } from "./branding.ts";
import { initial } from "./initial.ts";
import { Logo } from "./logo.tsx";
import { styleSheet } from "./style-sheet.ts";
import { themeCss } from "./theme.ts";

/** The distances that forms have on the login pages. */
const sampleStyle = ".sample{margin-block-start:1.5rem}.or+.sample{margin-block-start:1.25rem}";

/** The parts of a {@link drawPreview}. */
interface PreviewParts {
  readonly t: Translate;
  readonly tenantName: string;
  readonly branding: PageBranding;
}

/**
 * Renders how the first login page looks with a branding, as an HTML document with the style sheet of the login pages.
 * It contains no form, no link and no script, and nothing in it can be focused, so that visitors cannot mistake it for
 * the login page.
 */
export function drawPreview(parts: PreviewParts): string {
  return `<!DOCTYPE html>${renderToString(<Preview {...parts} />)}`;
}

function Preview({ t, tenantName, branding }: PreviewParts): JSX.Element {
  return (
    <html lang={t.lang} dir={t.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>{t.text("identifierTitle")}</title>
        {/* The style sheet contains only fixed text, numbers, and validated colors and URLs. */}
        <style dangerouslySetInnerHTML={{ __html: themeCss(branding) + styleSheet + sampleStyle }} />
      </head>
      <body>
        <main class="card screen-identifier" inert>
          <Logo branding={branding}>
            <span class="brand-named">
              <span class="mark tile" aria-hidden="true">
                <span>{initial(tenantName)}</span>
              </span>
              <span class="brand-name">{tenantName}</span>
            </span>
          </Logo>
          <h1>{t.text("identifierTitle")}</h1>
          <p class="lead">{t.pieces("identifierLeadPlain", { tenant: <bdi>{tenantName}</bdi> })}</p>
          <div class="sample">
            <div class="field">
              <label for="identifier">{t.text("labelEmail")}</label>
              <input id="identifier" class="input" value="ada@example.com" readonly dir="auto" />
            </div>
            <button type="button" class="button main">
              {t.text("identifierContinue")}
            </button>
          </div>
          <p class="or">{t.text("providerOr")}</p>
          <div class="sample">
            <button type="button" class="button second provider">
              {t.text("providerContinue", { provider: "Google" })}
            </button>
          </div>
        </main>
      </body>
    </html>
  );
}
