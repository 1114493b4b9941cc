import type { JSX } from "preact";
import type { PageLook } from "./drawing.ts";
import { imageUrl } from "./images.ts";

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

function Mark({ kind, name, picture }: Marked & { readonly kind: "tile" | "avatar" }): JSX.Element {
  const source = imageUrl(picture);
  if (source === undefined) {
    return (
      <span class={`mark ${kind}`} aria-hidden="true">
        {initial(name)}
      </span>
    );
  }
  return <img class={`mark ${kind}`} src={source} alt="" width="48" height="48" referrerpolicy="no-referrer" />;
}

/** Made by the first page that needs it: making one takes five times as long as using it. */
let graphemes: Intl.Segmenter | undefined;

/** The first character that a reader would call one, accents and joined emoji included. */
function initial(name: string): string {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const [first] = graphemes.segment(name.trim());
  return (first?.segment ?? "·").toUpperCase();
}

/** The logo at the top of a page, or a letter and a name: the organization's that somebody signs in to, or the tenant's. */
export function Brand({ tenantName, branding }: Pick<PageLook, "tenantName" | "branding">): JSX.Element {
  const { name, picture } = brandMark({ tenantName, branding });
  const source = imageUrl(picture);
  return (
    <div class="brand">
      {source === undefined ? (
        <>
          <Tile name={name} />
          <span class="brand-name" dir="auto">
            {name}
          </span>
        </>
      ) : (
        <img class="logo" src={source} alt={name} referrerpolicy="no-referrer" />
      )}
    </div>
  );
}
