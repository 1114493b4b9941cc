import type { JSX } from "preact";
import type { AcceptedCredentials, UnknownCredential } from "./signal-script.ts";

/** Renders the credentials that the page script reports to the browser, if there are any. */
export function AcceptedSignal({ accepted }: { readonly accepted: AcceptedCredentials | undefined }): JSX.Element | null {
  return accepted === undefined ? null : <div hidden data-accepted-credentials={JSON.stringify(accepted)} />;
}

/** Renders the credential that the page script reports to the browser as unknown, if there is one. */
export function UnknownSignal({ unknown }: { readonly unknown: UnknownCredential | undefined }): JSX.Element | null {
  return unknown === undefined ? null : <div hidden data-unknown-credential={JSON.stringify(unknown)} />;
}
