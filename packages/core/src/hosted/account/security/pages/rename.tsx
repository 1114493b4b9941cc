import type { PageParts, StepDrawing } from "../../../../login/components/drawing.ts";
import { describedByProblem, Form, FormAction, Name, ProblemNote } from "../../../../login/components/form.tsx";
import { BackToSection } from "../../pages/back.tsx";

/** The data for {@link drawRename}. */
export interface FactorName {
  /** The name of the factor in sentences. */
  readonly method: string;
  /** The name that the user gave the factor; '' if the factor has no name. */
  readonly name: string;
  /** The URL of the overview. */
  readonly back: string;
}

/** Draws the page on which the user names a factor. */
export function drawRename({ frame, t, problem }: StepDrawing, { method, name, back }: FactorName): PageParts {
  return {
    title: t.text("securityRenameTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.pieces("securityRenameLead", { name: <Name>{method}</Name> })}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="name">{t.text("securityNameLabel")}</label>
            <input
              id="name"
              name="name"
              class="input"
              type="text"
              value={name}
              dir="auto"
              autocomplete="off"
              enterkeyhint="done"
              maxlength={64}
              required
              data-missing={t.text("securityNameMissing")}
              autofocus
              {...describedByProblem(problem, "name")}
            />
          </div>
          <FormAction value="rename-factor">{t.text("securitySave")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
