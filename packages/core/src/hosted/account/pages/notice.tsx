import type { JSX } from "preact";
import { Icon } from "../../../login/components/icons.tsx";

/** Renders the result of the change that the user just made, or a state of the account. */
export function AccountNotice({ icon, text }: { readonly icon: "check" | "clock"; readonly text: string }): JSX.Element {
  return (
    <div class="problem notice" role="status">
      <Icon name={icon} />
      <p>{text}</p>
    </div>
  );
}
