import { translator } from "../locales/translate.ts";
import type { Drawing, Drawn, PageFrame } from "./kit/drawing.ts";
import { pictureSources } from "./kit/images.ts";
import { renderDocument } from "./kit/layout.tsx";
import { Brand } from "./kit/marks.tsx";

/** A page as it is sent, with what its Content-Security-Policy must let in. */
export interface DrawnPage {
  readonly html: string;
  /** The origins of its pictures. */
  readonly images: readonly string[];
  readonly script: boolean;
}

/** Draws a page as a whole HTML document: complete without JavaScript, in the frame's language and colors. @param name names its kind in the style sheet. */
export function drawPage(frame: PageFrame, name: string, draw: (drawing: Drawing) => Drawn): DrawnPage {
  const say = translator(frame.catalogues, frame.locale);
  const { title, content, mark, problem = false, pictures = [], script } = draw({ frame, say });
  const page = say.text("pageTitle", { page: title, tenant: frame.tenantName });
  const html = renderDocument({
    say,
    title: problem ? say.text("problemTitle", { page }) : page,
    branding: frame.branding,
    nonce: frame.nonce,
    content: (
      <main class={`card screen-${name}`}>
        {mark ?? <Brand tenantName={frame.tenantName} branding={frame.branding} />}
        <h1>{title}</h1>
        {content}
        {script !== undefined && <script nonce={frame.nonce} dangerouslySetInnerHTML={{ __html: script }} />}
      </main>
    ),
  });
  const images = pictureSources([frame.branding.logoUrl, frame.branding.faviconUrl, ...pictures]);
  return { html, images, script: script !== undefined };
}
