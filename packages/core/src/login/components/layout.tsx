import type { ComponentChildren, JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Translate } from "../../locales/translate.ts";
import type { PageBranding } from "../../branding/branding.ts";
import { faviconUrl } from "./favicon.tsx";
import { styleSheet } from "./styles.ts";
import { barColors, themeCss } from "../../branding/theme.ts";

/** A document and its content. */
export interface PageShell {
  readonly t: Translate;
  readonly title: string;
  /** The name for the letter icon, if the branding has no icon. */
  readonly name: string;
  readonly branding: PageBranding;
  readonly nonce: string;
  /** Runs in the head, before the body exists. */
  readonly script?: string | undefined;
  readonly content: ComponentChildren;
}

/** Renders a document. It loads only the images and the font that it names. */
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
        {/* Sends the origin, but never the URL of the page. Without the origin, browsers post `Origin: null`, which
            Postern's forms and the endpoints of clients reject. */}
        <meta name="referrer" content="strict-origin" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={bar.light} media="(prefers-color-scheme:light)" />
        <meta name="theme-color" content={bar.dark} media="(prefers-color-scheme:dark)" />
        <link rel="icon" href={faviconUrl(branding, name)} referrerpolicy="no-referrer" />
        {/* Contains only fixed text, numbers, and validated colors and URLs. */}
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: themeCss(branding) + styleSheet }} />
        {script !== undefined && <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} />}
      </head>
      <body>{content}</body>
    </html>
  );
}
