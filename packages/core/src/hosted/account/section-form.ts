import type { FactorChoice } from "../../identity/factors/choose-factor.ts";
import type { MessageType } from "../../model/factors/multifactor.ts";
import type { AccountView } from "./section-page.tsx";

/** A submitted form of the page. */
export interface AccountForm {
  readonly view: AccountView;
  readonly action: string;
  /** A factor type that the user chose. */
  readonly factor: string | undefined;
  /** The phone that the user chose for the code. */
  readonly destination: string | undefined;
  /** The factor of the page that asks for one. */
  readonly current: FactorChoice;
  /** The channel for a code to a phone. */
  readonly channel: MessageType | undefined;
  /** The channel of the last code to the phone, according to the page. */
  readonly currentChannel: string | undefined;
  readonly code: string;
  /** The response of a passkey or security key, as JSON. */
  readonly response: string;
  readonly phone: string;
  readonly name: string;
  /** The fields of the section. A field that was not sent or is empty is an empty string. */
  text(field: string): string;
  /** The id of the rendering that the form comes from. */
  readonly rendering: string | undefined;
}
