import type { Drawing, PageParts, PageFrame } from "./components/drawing.ts";
import { Footer } from "./components/footer.tsx";
import { brandingSources, pictureSources } from "../branding/images.ts";
import { renderDocument } from "./components/layout.tsx";
import { Brand, brandMark } from "./components/marks.tsx";
import { pageScript } from "./components/page-script.ts";
import { AcceptedSignal } from "./components/signals.tsx";

/** A rendered page, and the origins that its Content-Security-Policy must allow. */
export interface RenderedPage {
  readonly html: string;
  /** The origins of the page's images. */
  readonly images: readonly string[];
  /** The origin of the page's font; empty if the page has no font file. */
  readonly fonts: readonly string[];
  readonly script: boolean;
}

/**
 * Renders a page as a complete HTML document that works without JavaScript.
 * @param name the name of the page in the selectors of the style sheet.
 */
export function drawPage(frame: PageFrame, name: string, draw: (drawing: Drawing) => PageParts): RenderedPage {
  const { t, branding, tenantName, nonce, links } = frame;
  const { title, heading = title, content, mark, problem = false, pictures = [] } = draw({ frame, t });
  const page = t.text("pageTitle", { page: title, tenant: tenantName });
  const { images: brands, fonts } = brandingSources(branding);
  const images = [...new Set([...brands, ...pictureSources(pictures)])];
  // The page script is only needed for forms and images.
  const script = frame.action !== "" || images.length > 0;
  const html = renderDocument({
    t,
    title: problem ? t.text("problemTitle", { page }) : page,
    name: brandMark(frame).name,
    branding,
    nonce,
    script: script ? pageScript : undefined,
    content: (
      <main class={`card screen-${name}`}>
        {mark ?? <Brand tenantName={tenantName} branding={branding} />}
        <h1>{heading}</h1>
        {content}
        <AcceptedSignal accepted={frame.accepted} />
        <Footer t={t} links={links} />
      </main>
    ),
  });
  return { html, images, fonts, script };
}
