import type { JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import type { MailTranslate } from "../locales/mails/translate.ts";
import type { PageBranding } from "../branding/branding.ts";
import { imageUrl } from "../branding/images.ts";
import { palettesOf, type Palette } from "../branding/theme.ts";
import type { Block, MailContent } from "./message.ts";
import type { MailFooter } from "./plain-text.ts";

/** The parts of a mail's HTML. */
interface MailDrawing {
  readonly t: MailTranslate;
  readonly content: MailContent;
  readonly footer: MailFooter;
  /** The sender's name. It replaces a logo that is missing or does not load. */
  readonly name: string;
  readonly branding: PageBranding;
}

/**
 * Renders the HTML of a mail. The HTML consists of tables and inline styles, because mail clients support little else.
 * It loads only the logo. Its colors are light by default, and dark in mail clients that are in dark mode and support
 * style sheets.
 */
export function drawMail(drawing: MailDrawing): string {
  return `<!DOCTYPE html>${renderToString(<Mail {...drawing} colors={palettesOf(drawing.branding)} />)}`;
}

const fonts = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';

/** Returns the style rules with the dark colors. The light colors are in inline styles. */
function darkStyles(dark: Palette): string {
  const rules = {
    page: `background-color:${dark.page}`,
    card: `background-color:${dark.surface};border-color:${dark.line}`,
    text: `color:${dark.text}`,
    muted: `color:${dark.muted}`,
    quiet: `background-color:${dark.quiet};color:${dark.text};border-color:${dark.line}`,
    main: `background-color:${dark.primary};border-color:${dark["primary-line"]}`,
    "on-main": `color:${dark["on-primary"]}`,
    link: `color:${dark.link}`,
    plate: "background-color:#fff;color:#191c22;padding:8px",
    light: "display:none",
    dark: "display:block;max-height:48px",
  };
  const important = Object.entries(rules).map(([name, style]) => `.${name}{${style.replaceAll(/(?=;|$)/g, "!important")}}`);
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${important.join("")}}@media (max-width:480px){.card{padding:24px 20px!important}}`;
}

type PageParts = MailDrawing & { readonly colors: { readonly light: Palette; readonly dark: Palette } };

function Mail({ t, content, footer, name, branding, colors: { light, dark } }: PageParts): JSX.Element {
  const { direction } = t;
  return (
    <html lang={t.lang} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>{content.subject}</title>
        {/* The style sheet contains only constant text and validated colors. */}
        <style dangerouslySetInnerHTML={{ __html: darkStyles(dark) }} />
      </head>
      <body class="page" dir={direction} style={`margin:0;padding:0;background-color:${light.page}`}>
        <Table class="page" style={`background-color:${light.page}`}>
          <td align="center" style="padding:32px 12px">
            <Table style="max-width:560px;table-layout:fixed">
              <td
                class="card text"
                align={start(direction)}
                style={`padding:36px;border:1px solid ${light.line};border-radius:16px;background-color:${light.surface};color:${light.text};font-family:${fonts};font-size:16px;line-height:1.5;overflow-wrap:anywhere;word-break:break-word`}
              >
                <Brand name={name} branding={branding} />
                <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:650">{content.subject}</h1>
                {content.blocks.map((block) => (
                  <Part block={block} light={light} t={t} />
                ))}
              </td>
            </Table>
            <Table style="max-width:560px">
              <td
                class="muted"
                align="center"
                style={`padding:20px 12px 0;color:${light.muted};font-family:${fonts};font-size:13px;line-height:1.5;overflow-wrap:anywhere`}
              >
                {footer.text}
                {footer.support !== undefined && (
                  <>
                    {" "}
                    <a class="muted" href={footer.support.link} style={`color:${light.muted};text-decoration:underline`}>
                      {footer.support.label}
                    </a>
                  </>
                )}
              </td>
            </Table>
          </td>
        </Table>
      </body>
    </html>
  );
}

/** Renders a table with one cell of full width. */
function Table({
  style,
  children,
  ...rest
}: {
  readonly class?: string;
  readonly style: string;
  readonly children: JSX.Element;
}): JSX.Element {
  return (
    <table
      role="presentation"
      width="100%"
      cellPadding="0"
      cellSpacing="0"

      style={`width:100%;border-collapse:separate;${style}`}
      {...rest}
    >
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}

/**
 * Renders the logo, or the name if there is no logo. In dark mode, the logo for dark mode replaces it; without such a
 * logo, the logo has a white background.
 */
function Brand({ name, branding }: Pick<MailDrawing, "name" | "branding">): JSX.Element {
  const [source, dark] = [imageUrl(branding.logoUrl), imageUrl(branding.darkLogoUrl)];
  if (source === undefined) return <p style="margin:0 0 24px;font-size:16px;line-height:1.3;font-weight:600">{name}</p>;
  const style = "max-width:200px;max-height:48px;border:0;border-radius:6px";
  return (
    <div style="margin:0 0 24px">
      <img class={dark === undefined ? "plate" : "light"} src={source} alt={name} height={48} style={`display:block;${style}`} />
      {dark !== undefined && <img class="dark" src={dark} alt="" height={48} style={`display:none;max-height:0;mso-hide:all;${style}`} />}
    </div>
  );
}

interface PartProps {
  readonly block: Block;
  readonly light: Palette;
  readonly t: MailTranslate;
}

function Part({ block, light, t }: PartProps): JSX.Element {
  const muted = `margin:0 0 16px;color:${light.muted};font-size:14px`;
  switch (block.kind) {
    case "text":
      return <p style="margin:0 0 16px">{block.text}</p>;
    case "note":
      return (
        <p class="muted" style={`${muted};margin-bottom:0`}>
          {block.text}
        </p>
      );
    case "code":
      return (
        <p
          class="quiet"
          dir="ltr"
          style={`margin:0 0 16px;padding:16px 12px;border:1px solid ${light.line};border-radius:10px;background-color:${light.quiet};color:${light.text};font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;line-height:1.2;font-weight:600;letter-spacing:4px;text-align:center`}
        >
          {block.code}
        </p>
      );
    case "link":
      return (
        <>
          <Button label={block.label} link={block.link} light={light} />
          <p class="muted" style={muted}>
            {t.text("linkInstead")}
            <br />
            <a class="link" dir="ltr" href={block.link} style={`color:${light.link};overflow-wrap:anywhere;word-break:break-all`}>
              {block.link}
            </a>
          </p>
        </>
      );
    case "facts":
      return (
        <table role="presentation" cellPadding="0" cellSpacing="0" style="margin:0 0 16px">
          <tbody>
            {block.facts.map(([fact, value]) => (
              <tr>
                <td
                  class="muted"
                  valign="top"
                  style={`padding:2px 0;padding-inline-end:16px;color:${light.muted};font-size:14px;overflow-wrap:normal;word-break:normal`}
                >
                  {fact}
                </td>
                <td class="text" style={`padding:2px 0;color:${light.text};font-size:14px`}>
                  <bdi>{value}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

/**
 * Renders a link as a button. The table cell has the background color, because some mail clients draw no background
 * behind a link.
 */
function Button({ label, link, light }: { readonly label: string; readonly link: string; readonly light: Palette }): JSX.Element {
  const { primary, "on-primary": onPrimary, "primary-line": line } = light;
  return (
    <table role="presentation" cellPadding="0" cellSpacing="0" style="margin:0 0 16px;border-collapse:separate">
      <tbody>
        <tr>
          <td
            class="main"
            align="center"

            style={`border:1px solid ${line};border-radius:10px;background-color:${primary}`}
          >
            <a
              class="on-main"
              href={link}
              style={`display:inline-block;padding:13px 28px;color:${onPrimary};font-size:16px;font-weight:600;line-height:1.3;text-decoration:none`}
            >
              {label}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** Returns the side on which lines of text start. */
function start(direction: MailTranslate["direction"]): "left" | "right" {
  return direction === "rtl" ? "right" : "left";
}
