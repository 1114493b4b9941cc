import type { ComponentChildren, JSX } from "preact";
import type { PageBranding } from "./branding.ts";
import { imageUrl } from "./images.ts";

/**
 * Renders the logo at the top of a page, for light and dark pages.
 * @param props.children the first letter and the name. They are all that is rendered if there is no logo.
 */
export function Logo({
  branding,
  children,
}: {
  readonly branding: Pick<PageBranding, "logoUrl" | "darkLogoUrl">;
  readonly children: ComponentChildren;
}): JSX.Element {
  const [source, dark] = [imageUrl(branding.logoUrl), imageUrl(branding.darkLogoUrl)];
  if (source === undefined) return <div class="brand">{children}</div>;
  return (
    <div class="brand pictured">
      <picture>
        {dark !== undefined && <source srcset={dark} media="(prefers-color-scheme:dark)" />}
        <img class={dark === undefined ? "logo" : "logo own-dark"} src={source} alt="" referrerpolicy="no-referrer" />
      </picture>
      {children}
    </div>
  );
}
