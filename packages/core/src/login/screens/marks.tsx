import type { JSX } from "preact";
import { imageUrl } from "./images.ts";

/** What stands for something that has a name: its picture, or the first letter of the name. */
export interface Marked {
  readonly name: string;
  readonly picture?: string | undefined;
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

/** The first character that a reader would call one, accents and joined emoji included. */
function initial(name: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(name.trim());
  return (first?.segment ?? "·").toUpperCase();
}

/** The tenant's logo at the top of a page, or its letter and name. */
export function Brand({ name, logoUrl }: { readonly name: string; readonly logoUrl: string | undefined }): JSX.Element {
  const source = imageUrl(logoUrl);
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
