import type { JSX } from "preact";
import type { PageLook } from "./drawing.ts";
import { Clamped } from "./form.tsx";
import { imageUrl } from "../../branding/images.ts";

/** What stands for something that has a name: its picture, or the first letter of the name. */
export interface Marked {
  readonly name: string;
  readonly picture?: string | undefined;
}

/** What stands for whoever the page belongs to. */
export function brandMark({ tenantName, branding }: Pick<PageLook, "tenantName" | "branding">): Marked {
  return { name: branding.name ?? tenantName, picture: branding.logoUrl };
}

/** A square mark for a client or a tenant. The name is said beside it. */
export function Tile({ name, picture }: Marked): JSX.Element {
  return <Mark kind="tile" name={name} picture={picture} />;
}

/** A round mark for a person. The name is said beside it. */
export function Avatar({ name, picture }: Marked): JSX.Element {
  return <Mark kind="avatar" name={name} picture={picture} />;
}

/** The letter stands below the picture, out of sight: a picture that does not come takes no room, and the letter moves up. */
function Mark({ kind, name, picture }: Marked & { readonly kind: "tile" | "avatar" }): JSX.Element {
  const source = imageUrl(picture);
  return (
    <span class={source === undefined ? `mark ${kind}` : `mark ${kind} pictured`} aria-hidden="true">
      {source !== undefined && <img src={source} alt="" referrerpolicy="no-referrer" />}
      <span>{initial(name)}</span>
    </span>
  );
}

/** Made by the first page that needs it: making one takes five times as long as using it. */
let graphemes: Intl.Segmenter | undefined;

/** The first character that a reader would call one, accents and joined emoji included. */
export function initial(name: string): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const [first] = graphemes.segment(name.trim());
  return (first?.segment ?? "·").toUpperCase();
}

/**
 * The logo at the top of a page, or a letter and a name: the organization's that somebody signs in to, or the tenant's.
 * Letter and name stand below the logo, out of sight, and move up where it does not come; who hears the page hears the name in any case.
 */
export function Brand({ tenantName, branding }: Pick<PageLook, "tenantName" | "branding">): JSX.Element {
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

/** Takes away a picture that does not come, or that is one pixel, which nobody sees. A tenant's dark logo that does not come gives way to the other. */
export const imageScript = `
["error", "load"].forEach(function (type) {
  document.addEventListener(type, function (event) {
    var image = event.target;
    if (image.tagName !== "IMG" || (type === "load" && image.naturalWidth * image.naturalHeight !== 1)) return;
    (image.previousElementSibling || image).remove();
  }, true);
});
`;
