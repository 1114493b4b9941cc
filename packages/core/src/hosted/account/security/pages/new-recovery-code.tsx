import type { PageParts, StepDrawing } from "../../../../login/components/drawing.ts";
import { Form, FormAction, ProblemNote } from "../../../../login/components/form.tsx";
import { BackToSection } from "../../pages/back.tsx";

/** The data for {@link drawNewRecoveryCode}. */
export interface NewRecoveryCode {
  /** Whether the new code replaces another one. */
  readonly replaces: boolean;
  /** The URL of the overview. */
  readonly back: string;
}

/** Draws the page that asks whether to create a recovery code. */
export function drawNewRecoveryCode({ frame, t, problem }: StepDrawing, { replaces, back }: NewRecoveryCode): PageParts {
  return {
    title: t.text("securityRecoveryTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.text(replaces ? "securityRecoveryReplace" : "securityRecoveryNone")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <FormAction value="create-recovery-code">{t.text("securityRecoveryNew")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
