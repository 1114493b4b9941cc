import { translator } from "../locales/translate.ts";
import type { PageFrame } from "./screen.ts";
import { drawConfirmLogout } from "./pages/confirm-logout.tsx";
import { drawConsent } from "./steps/consent/page.tsx";
import { drawCreateAccount } from "./steps/create-account/page.tsx";
import { drawError } from "./pages/error.tsx";
import type { Drawing, Drawn } from "./kit/form.tsx";
import { drawIdentifier } from "./steps/identifier/page.tsx";
import { pictureSources } from "./kit/images.ts";
import { renderDocument } from "./kit/layout.tsx";
import { drawInvitation } from "./steps/invitation/page.tsx";
import { drawLoggedOut } from "./pages/logged-out.tsx";
import { Brand } from "./kit/marks.tsx";
import { drawPassword } from "./steps/password/page.tsx";
import { revealScript } from "./kit/reveal.tsx";
import { drawSelectAccount } from "./steps/select-account/page.tsx";
import { drawSelectOrganization } from "./steps/organization/page.tsx";

/** Draws a screen as a whole HTML document: complete without JavaScript, in the frame's language and colors. */
export function renderPage(frame: PageFrame): string {
  const say = translator(frame.catalogues, frame.locale);
  const { title, content, mark, problem = false } = draw({ frame, say });
  const script = scriptOf(frame);
  const page = say.text("pageTitle", { page: title, tenant: frame.tenantName });
  return renderDocument({
    say,
    title: problem ? say.text("problemTitle", { page }) : page,
    branding: frame.branding,
    nonce: frame.nonce,
    content: (
      <main class={`card screen-${frame.screen.name}`}>
        {mark ?? <Brand tenantName={frame.tenantName} branding={frame.branding} />}
        <h1>{title}</h1>
        {content}
        {script !== undefined && <script nonce={frame.nonce} dangerouslySetInnerHTML={{ __html: script }} />}
      </main>
    ),
  });
}

function draw({ frame, say }: Drawing): Drawn {
  const { screen } = frame;
  switch (screen.name) {
    case "identifier":
      return drawIdentifier({ frame, say }, screen);
    case "password":
      return drawPassword({ frame, say }, screen);
    case "consent":
      return drawConsent({ frame, say }, screen);
    case "select-account":
      return drawSelectAccount({ frame, say }, screen);
    case "select-organization":
      return drawSelectOrganization({ frame, say }, screen);
    case "invitation":
      return drawInvitation({ frame, say }, screen);
    case "create-account":
      return drawCreateAccount({ frame, say }, screen);
    case "confirm-logout":
      return drawConfirmLogout({ frame, say });
    case "logged-out":
      return drawLoggedOut({ frame, say });
    case "error":
      return drawError({ frame, say }, screen);
  }
}

/** The script that makes a page easier to use; every page is complete without. Undefined where it needs none. */
export function scriptOf({ screen }: PageFrame): string | undefined {
  return screen.name === "password" || screen.name === "create-account" ? revealScript : undefined;
}

/** The origins that the page's pictures come from, for `img-src` of its Content-Security-Policy. */
export function imageSources({ branding, screen }: PageFrame): string[] {
  const pictures = [branding.logoUrl, branding.faviconUrl];
  if (screen.name === "consent") pictures.push(screen.client.logoUri);
  if (screen.name === "select-account") pictures.push(...screen.accounts.map(({ picture }) => picture));
  if (screen.name === "select-organization") pictures.push(...screen.organizations.map(({ logoUrl }) => logoUrl));
  if (screen.name === "invitation" || screen.name === "create-account") pictures.push(screen.organization.logoUrl);
  return pictureSources(pictures);
}
