import type { JSX } from "preact";
import { ActionButton } from "../components/post-form.tsx";
import type { ScreenRequest } from "../screen.ts";

/** The request, and the URL that the forms of the tab post to. */
export interface FormPlace {
  readonly request: ScreenRequest;
  readonly action: string;
}

/** Renders the button of a row. */
export function RowButton({ request, action, hidden, text, name }: FormPlace & RowButtonProps): JSX.Element {
  return (
    <ActionButton request={request} action={action} hidden={hidden} kind="small" label={`${text} ${name}`}>
      {text}
    </ActionButton>
  );
}

interface RowButtonProps {
  readonly hidden: { readonly [name: string]: string };
  readonly text: string;
  /** The session, token or key that the button removes, for its accessible name. */
  readonly name: string;
}
