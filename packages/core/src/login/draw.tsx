import type { Drawing, Drawn, PageFrame } from "./components/drawing.ts";
import { Footer } from "./components/footer.tsx";
import { brandingSources, pictureSources } from "../branding/images.ts";
import { renderDocument } from "./components/layout.tsx";
import { Brand, brandMark } from "./components/marks.tsx";
import { pageScript } from "./components/page-script.ts";

/** A page as it is sent, with what its Content-Security-Policy must let in. */
export interface DrawnPage {
  readonly html: string;
  /** The origins of its pictures. */
  readonly images: readonly string[];
  /** The origin of its font. */
  readonly fonts: readonly string[];
  readonly script: boolean;
}

/** Draws a page as a whole HTML document: complete without JavaScript, in the frame's words and colors. @param name names its kind in the style sheet. */
export function drawPage(frame: PageFrame, name: string, draw: (drawing: Drawing) => Drawn): DrawnPage {
  const { say, branding, tenantName, nonce, links } = frame;
  const { title, heading = title, content, mark, problem = false, pictures = [] } = draw({ frame, say });
  const page = say.text("pageTitle", { page: title, tenant: tenantName });
  const { images: brands, fonts } = brandingSources(branding);
  const images = [...new Set([...brands, ...pictureSources(pictures)])];
  // What it does is about forms and pictures.
  const script = frame.action !== "" || images.length > 0;
  const html = renderDocument({
    say,
    title: problem ? say.text("problemTitle", { page }) : page,
    name: brandMark(frame).name,
    branding,
    nonce,
    script: script ? pageScript : undefined,
    content: (
      <main class={`card screen-${name}`}>
        {mark ?? <Brand tenantName={tenantName} branding={branding} />}
        <h1>{heading}</h1>
        {content}
        <Footer say={say} links={links} />
      </main>
    ),
  });
  return { html, images, fonts, script };
}
