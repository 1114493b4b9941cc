import type { JSX } from "preact";
import { ForAccount, type ForAccountProps } from "../components/account.tsx";
import type { StepDrawing } from "../components/drawing.ts";
import { FactorCodeField } from "../components/factor-code-field.tsx";
import { Form, FormAction } from "../components/form.tsx";
import type { AddFactorScreen } from "../steps/add-factor/step.ts";
import type { EnrollmentDrawing } from "./kinds/kind.ts";

/** Renders the account that a factor is added to, if the page says it. */
export function AddedTo({ about }: { readonly about: ForAccountProps | undefined }): JSX.Element | null {
  return about === undefined ? null : <ForAccount {...about} />;
}

interface ConfirmProps extends StepDrawing {
  readonly screen: AddFactorScreen;
  /** Whether the field has the focus when the page opens. Default: true. */
  readonly hasFocus?: boolean;
}

/** Renders the form for the first code of a new factor. */
export function ConfirmForm({ frame, t, problem, screen: { validFor, lockedUntil }, hasFocus = true }: ConfirmProps): JSX.Element {
  const isLocked = lockedUntil !== undefined;
  const label = t.text("factorCodeLabel");
  return (
    <Form frame={frame}>
      <FactorCodeField t={t} label={label} validFor={validFor} hasFocus={hasFocus} problem={problem} disabled={isLocked} />
      <FormAction value="confirm-new-factor" disabled={isLocked}>
        {t.text("factorSubmit")}
      </FormAction>
    </Form>
  );
}

/** Renders the button that leads back to the list of factors, or to the form for another number. */
export function BackToFactors({ frame, t, screen }: Pick<EnrollmentDrawing, "frame" | "t" | "screen">): JSX.Element | null {
  if (screen.options.length < 2 && screen.sentTo === undefined) return null;
  return (
    <Form frame={frame}>
      <FormAction value="other-new-factor" kind="small">
        {t.text("addFactorBack")}
      </FormAction>
    </Form>
  );
}
