import type { ComponentChildren, JSX } from "preact";
import type { Factor } from "../../../identity/factors/factors.ts";
import type { MessageKey, Placeholders } from "../../../locales/messages.ts";
import type { MessageType } from "../../../model/factors/multifactor.ts";
import type { ForAccountProps } from "../../components/account.tsx";
import type { StepDrawing } from "../../components/drawing.ts";
import type { AddFactorScreen } from "../../steps/add-factor/step.ts";
import type { FactorScreen } from "../../steps/factor/step.ts";
import type { LastCode } from "../challenge-screen.ts";
import type { FactorContext } from "../context.ts";

/** The names of texts without placeholders. */
export type PlainText = { [Key in MessageKey]: [Placeholders<Key>] extends [never] ? Key : never }[MessageKey];

/** The page that requests a factor. */
export type ChallengeDrawing = StepDrawing & { readonly screen: FactorScreen };

/** The page on which a user adds a factor. */
export interface EnrollmentDrawing extends StepDrawing {
  readonly screen: AddFactorScreen;
  /** The text above the list of factors. Default: the tenant requires a factor. */
  readonly lead?: ComponentChildren;
  /** The purpose of the factor, and the account. Default: the sign-in, which the page does not name. */
  readonly about?: ForAccountProps;
  /** The button that leaves the page. `null`: none. */
  readonly exit: JSX.Element | null;
}

/** How the user adds a factor. */
interface FactorEnrollment {
  /** The name in the list of factors. @param channel how codes are sent to phones. */
  name(channel: MessageType | undefined): PlainText;
  readonly hint: PlainText;
  readonly title: PlainText;
  readonly Content: (drawing: EnrollmentDrawing) => JSX.Element;
  /** Stores the unconfirmed factor when the user chooses the type. Omitted if the user must enter something first. */
  start?(context: FactorContext): Promise<Factor>;
  /** Returns the fields of the screen for the unconfirmed factor. */
  pending?(context: FactorContext, factor: Factor, last: LastCode, masksAddress: boolean): Promise<Partial<AddFactorScreen>>;
  /** Returns the fields of the screen before there is an unconfirmed factor. Default: none. */
  chosen?(context: FactorContext): Promise<Partial<AddFactorScreen>>;
}

/** The pages of a kind of factor. */
export interface FactorPages {
  /** The name in the list of a user's factors. @param channel how codes are sent to the phone. */
  label(channel: MessageType | undefined): PlainText;
  /** The title of the page that requests it. */
  title(screen: FactorScreen): PlainText;
  /** The button that selects it. @param channel how codes are sent to the phone. */
  use(channel: MessageType | undefined): PlainText;
  readonly Lead: (drawing: ChallengeDrawing) => JSX.Element;
  /** The input that the user provides. `sent-code`: a code of digits that was sent. `text`: a code of digits and letters. */
  readonly input: "code" | "sent-code" | "text" | "key";
  /** Omitted if users do not add it. */
  readonly enrollment?: FactorEnrollment;
}
