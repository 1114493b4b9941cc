import type { IdentifierScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Invited } from "../../components/invited.tsx";
import { IdentifierField, missingText } from "../../components/identifier-field.tsx";
import { FormAction, Form, ProblemNote } from "../../components/form.tsx";
import { Or, ProviderButtons } from "../../components/provider-buttons.tsx";
import { PasskeySignIn } from "../../components/passkey-sign-in.tsx";
import { Lead } from "../../components/lead.tsx";

/** Draws the page that asks for the visitor's identifier. */
export function drawIdentifier({ frame, t, problem }: StepDrawing, screen: IdentifierScreen): PageParts {
  const { identifier, kinds, again = false, signUp, providers = [], passkey, invitation } = screen;
  const told = problem?.text === "identifierMissing" ? { ...problem, text: missingText(kinds) } : problem;
  const hasField = kinds.length > 0 || (providers.length === 0 && passkey === undefined);
  return {
    title: t.text(again ? "againTitle" : "identifierTitle"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        {invitation === undefined ? <Lead frame={frame} t={t} /> : <Invited t={t} invitation={invitation} />}
        <ProblemNote frame={frame} t={t} problem={told} />
        {hasField && (
          <Form frame={frame}>
            <IdentifierField t={t} kinds={kinds} identifier={identifier} problem={problem} offersPasskeys={passkey?.autofill === true} />
            <FormAction value="continue">{t.text("identifierContinue")}</FormAction>
          </Form>
        )}
        {hasField && providers.length > 0 && <Or t={t} />}
        {passkey && <PasskeySignIn frame={frame} t={t} passkey={passkey} separated={hasField && providers.length === 0} />}
        {providers.length > 0 && <ProviderButtons frame={frame} t={t} providers={providers} />}
        {signUp && (
          <div class="others">
            <Form frame={frame}>
              <span>{t.text("identifierNoAccount")}</span>
              <FormAction value="sign-up" kind="small">
                {t.text("identifierSignUp")}
              </FormAction>
            </Form>
          </div>
        )}
      </>
    ),
  };
}
