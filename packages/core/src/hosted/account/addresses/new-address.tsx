import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { describedByProblem, Form, FormAction, ProblemNote } from "../../../login/components/form.tsx";
import { PhoneField } from "../../../login/components/phone-field.tsx";
import { BackToSection } from "../pages/back.tsx";

/** Draws the form for a new email address. The type is not `email`: browsers reject addresses that mail servers accept. */
export function drawNewEmail({ frame, t, problem }: StepDrawing, back: string): PageParts {
  return {
    title: t.text("addressesEmailTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.text("addressesLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="email">{t.text("profileEmail")}</label>
            <input
              id="email"
              name="email"
              class="input"
              type="text"
              inputmode="email"
              autocomplete="email"
              autocapitalize="none"
              enterkeyhint="go"
              spellcheck={false}
              dir="ltr"
              maxlength={320}
              required
              data-missing={t.text("missingEmail")}
              autofocus
              {...describedByProblem(problem, "email")}
            />
          </div>
          <FormAction value="send-email-code">{t.text("factorSend")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}

/** Draws the form for a new phone number. */
export function drawNewPhone({ frame, t, problem }: StepDrawing, back: string): PageParts {
  return {
    title: t.text("addressesPhoneTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.text("addressesPhoneLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <PhoneField t={t} problem={problem} />
          <FormAction value="send-phone-code">{t.text("factorSend")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
