import type { ComponentChildren, JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Translate } from "../../locales/translate.ts";
import type { PageBranding } from "../../branding/branding.ts";
import { faviconUrl } from "./favicon.tsx";
import { styleSheet } from "../../branding/style-sheet.ts";
import { barColors, themeCss } from "../../branding/theme.ts";

/** The parts of an HTML document. */
interface PageShell {
  readonly t: Translate;
  readonly title: string;
  /** The name whose first letter is the icon, if the branding has no icon. */
  readonly name: string;
  readonly branding: PageBranding;
  readonly nonce: string;
  /** The script in the head, which runs before the body exists. */
  readonly script?: string | undefined;
  readonly content: ComponentChildren;
}

/** Renders an HTML document. The document loads no other files than its images and its font. */
export function renderDocument(shell: PageShell): string {
  return `<!DOCTYPE html>${renderToString(<Document {...shell} />)}`;
}

function Document({ t, title, name, branding, nonce, script, content }: PageShell): JSX.Element {
  const bar = barColors(branding);
  return (
    <html lang={t.lang} dir={t.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="robots" content="noindex, nofollow" />
        {/* Browsers send the page's origin, but never its URL. Without the origin they would post `Origin: null`, which
            Postern and the endpoints of clients reject. */}
        <meta name="referrer" content="strict-origin" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={bar.light} media="(prefers-color-scheme:light)" />
        <meta name="theme-color" content={bar.dark} media="(prefers-color-scheme:dark)" />
        <link rel="icon" href={faviconUrl(branding, name)} referrerpolicy="no-referrer" />
        {/* The style sheet contains only fixed text, numbers, and validated colors and URLs. */}
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: themeCss(branding) + styleSheet }} />
        {script !== undefined && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />}
      </head>
      <body>{content}</body>
    </html>
  );
}
