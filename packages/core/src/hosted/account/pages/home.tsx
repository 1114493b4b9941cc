import { SignedInAs } from "../../../login/components/account.tsx";
import type { Drawing, PageParts } from "../../../login/components/drawing.ts";
import { Icon } from "../../../login/components/icons.tsx";
import { ReturnLinkAnchor } from "../../../login/components/return-link.tsx";
import type { ReturnLink } from "../../../login/return-link.ts";

/** The data for {@link drawHome}. */
export interface AccountHome {
  readonly account: string;
  readonly sections: readonly { readonly title: string; readonly href: string }[];
  /** The link to the application. Undefined if no URL is known. */
  readonly back: ReturnLink | undefined;
  /** The URL at which the user signs out. */
  readonly logout: string;
}

/** Draws the page that lists the sections of the account page. */
export function drawHome({ frame, t }: Drawing, { account, sections, back, logout }: AccountHome): PageParts {
  return {
    title: t.text("accountPageTitle"),
    content: (
      <>
        <SignedInAs t={t} account={account} />
        <nav class="rows sections" aria-label={t.text("accountPageTitle")}>
          {sections.map(({ title, href }) => (
            <a key={href} class="button row" href={href}>
              <span class="row-text">
                <span class="row-name">{title}</span>
              </span>
              <Icon name="chevron" />
            </a>
          ))}
        </nav>
        <ReturnLinkAnchor frame={frame} t={t} returnLink={back} />
        <div class="others">
          <a class="button small" href={logout}>
            {t.text("securitySignOut")}
          </a>
        </div>
      </>
    ),
  };
}
