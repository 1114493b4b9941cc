import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { describedByProblem, Form, FormAction, ProblemNote } from "../../../login/components/form.tsx";

/** Draws the page on which the visitor enters the code of a device. @param userCode the code from the URL. */
export function drawEnterCode({ frame, t, problem }: StepDrawing, { userCode }: { readonly userCode: string }): PageParts {
  return {
    title: t.text("deviceTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.text("deviceLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="user_code">{t.text("codeLabel")}</label>
            <input
              id="user_code"
              name="user_code"
              class="input user-code"
              type="text"
              value={userCode}
              autocomplete="off"
              autocapitalize="characters"
              enterkeyhint="go"
              spellcheck={false}
              dir="ltr"
              maxlength={100}
              required
              data-missing={t.text("deviceCodeMissing")}
              autofocus
              {...describedByProblem(problem, "user_code")}
            />
          </div>
          <FormAction value="continue">{t.text("identifierContinue")}</FormAction>
        </Form>
        <p class="note">{t.text("deviceNote")}</p>
      </>
    ),
  };
}
