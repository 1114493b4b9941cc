import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { describedByProblem, Form, FormAction, ProblemNote } from "../../../login/components/form.tsx";
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
  const { "aria-describedby": problemId, ...invalid } = describedByProblem(problem, "phone");
  return {
    title: t.text("addressesPhoneTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.text("addressesPhoneLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="phone">{t.text("addPhoneLabel")}</label>
            <input
              id="phone"
              name="phone"
              class="input"
              type="tel"
              autocomplete="tel"
              enterkeyhint="go"
              dir="ltr"
              maxlength={100}
              required
              data-missing={t.text("phoneMalformed")}
              autofocus
              {...invalid}
              aria-describedby={problemId === undefined ? "phone-hint" : `${problemId} phone-hint`}
            />
            <p class="hint" id="phone-hint">
              {t.text("addPhoneHint")}
            </p>
          </div>
          <FormAction value="send-phone-code">{t.text("factorSend")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
