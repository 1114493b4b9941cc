import type { JSX } from "preact";
import type { Drawing } from "./drawing.ts";
import { Icon } from "./icons.tsx";
import { Brand } from "./marks.tsx";

/** Renders the brand of the page, and below it an icon that represents the outcome. */
export function Sign({ frame, kind, icon }: SignProps): JSX.Element {
  return (
    <>
      <Brand tenantName={frame.tenantName} branding={frame.branding} />
      <div class={`sign ${kind}`}>
        <Icon name={icon} />
      </div>
    </>
  );
}

interface SignProps extends Pick<Drawing, "frame"> {
  readonly kind: "good" | "bad" | "quiet";
  readonly icon: "check" | "clock" | "alert";
}
