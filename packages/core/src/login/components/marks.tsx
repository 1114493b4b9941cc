import type { JSX } from "preact";
import type { PageAppearance } from "./drawing.ts";
import { Clamped } from "./form.tsx";
import { imageUrl } from "../../branding/images.ts";

/** A name with an image, or with its first letter instead. */
interface Marked {
  readonly name: string;
  readonly picture?: string | undefined;
}

/** The mark of the organization or the tenant that the page belongs to. */
export function brandMark({ tenantName, branding }: Pick<PageAppearance, "tenantName" | "branding">): Marked {
  return { name: branding.name ?? tenantName, picture: branding.logoUrl };
}

/** A square mark for a client or a tenant. The name is next to it as text. */
export function Tile({ name, picture }: Marked): JSX.Element {
  return <Mark kind="tile" name={name} picture={picture} />;
}

/** A round mark for a user. The name is next to it as text. */
export function Avatar({ name, picture }: Marked): JSX.Element {
  return <Mark kind="avatar" name={name} picture={picture} />;
}

/**
 * The letter is below the image, out of sight. If the image fails to load, it takes no room and the letter moves up.
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

/** Created by the first page that needs it: construction takes five times as long as use. */
let graphemes: Intl.Segmenter | undefined;

/** Returns the first grapheme, including accents and joined emoji. */
export function initial(name: string): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const [first] = graphemes.segment(name.trim());
  return (first?.segment ?? "·").toUpperCase();
}

/**
 * The logo at the top of a page, or a letter and a name: those of the organization that the visitor signs in to, or of
 * the tenant. Letter and name are below the logo, out of sight, and move up if it fails to load. Screen readers read
 * the name in any case.
 */
export function Brand({ tenantName, branding }: Pick<PageAppearance, "tenantName" | "branding">): JSX.Element {
  const { name, picture } = brandMark({ tenantName, branding });
  const [source, dark] = [imageUrl(picture), imageUrl(branding.darkLogoUrl)];
  const named = (
    <span class="brand-named">
      <Tile name={name} />
      <Clamped class="brand-name">{name}</Clamped>
    </span>
  );
  if (source === undefined) return <div class="brand">{named}</div>;
  return (
    <div class="brand pictured">
      <picture>
        {dark !== undefined && <source srcset={dark} media="(prefers-color-scheme:dark)" />}
        <img class={dark === undefined ? "logo" : "logo own-dark"} src={source} alt="" referrerpolicy="no-referrer" />
      </picture>
      {named}
    </div>
  );
}

/**
 * Removes an image that fails to load or has a single pixel. If a tenant's dark logo fails to load, the other logo
 * replaces it.
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
