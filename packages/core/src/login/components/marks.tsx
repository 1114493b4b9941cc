import type { JSX } from "preact";
import type { PageAppearance } from "./drawing.ts";
import { Clamped } from "./form.tsx";
import { imageUrl } from "../../branding/images.ts";
import { initial } from "../../branding/initial.ts";
import { Logo } from "../../branding/logo.tsx";

/** A name, and the URL of the image that represents it. Without an image, the first letter of the name does. */
interface Marked {
  readonly name: string;
  readonly picture?: string | undefined;
}

/** Returns the name and the logo of the organization or the tenant that the page belongs to. */
export function brandMark({ tenantName, branding }: Pick<PageAppearance, "tenantName" | "branding">): Marked {
  return { name: branding.name ?? tenantName, picture: branding.logoUrl };
}

/** Renders a square image for a client, an organization or a tenant. The name is next to it as text. */
export function Tile({ name, picture }: Marked): JSX.Element {
  return <Mark kind="tile" name={name} picture={picture} />;
}

/** Renders the mark of a page about an organization: its logo, or the first letter of its name. */
export function OrganizationMark({
  organization,
}: {
  readonly organization: { readonly name: string; readonly logoUrl?: string | undefined };
}): JSX.Element {
  return (
    <div class="pair" aria-hidden="true">
      <Tile name={organization.name} picture={organization.logoUrl} />
    </div>
  );
}

/** Renders a round image for a user. The name is next to it as text. */
export function Avatar({ name, picture }: Marked): JSX.Element {
  return <Mark kind="avatar" name={name} picture={picture} />;
}

/**
 * Renders an image, and the first letter of the name below it, outside the visible area. If the image fails to load, it
 * takes no space and the letter moves into the visible area.
 */
function Mark({ kind, name, picture }: Marked & { readonly kind: "tile" | "avatar" }): JSX.Element {
  const source = imageUrl(picture);
  return (
    <span class={source === undefined ? `mark ${kind}` : `mark ${kind} pictured`} aria-hidden="true">
      {source !== undefined && <img src={source} alt="" referrerpolicy="no-referrer" />}
      <span>{initial(name)}</span>
    </span>
  );
}

/**
 * Renders the logo at the top of a page, or the first letter and the name if there is no logo. They belong to the
 * organization that the visitor signs in to, or to the tenant. The letter and the name are below the logo, outside the
 * visible area, and move up if the logo fails to load. Screen readers read the name in any case.
 */
export function Brand({ tenantName, branding }: Pick<PageAppearance, "tenantName" | "branding">): JSX.Element {
  const { name } = brandMark({ tenantName, branding });
  return (
    <Logo branding={branding}>
      <span class="brand-named">
        <Tile name={name} />
        <Clamped class="brand-name">{name}</Clamped>
      </span>
    </Logo>
  );
}

/**
 * Removes an image that fails to load or has a single pixel. If the logo for dark mode fails to load, the logo for
 * light mode replaces it.
 */
export const imageScript = `
["error", "load"].forEach(function (type) {
  document.addEventListener(type, function (event) {
    var image = event.target;
    if (image.tagName !== "IMG" || (type === "load" && image.naturalWidth * image.naturalHeight !== 1)) return;
    (image.previousElementSibling || image).remove();
  }, true);
});
`;
