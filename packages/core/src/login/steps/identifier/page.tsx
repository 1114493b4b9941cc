import type { IdentifierScreen } from "./step.ts";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Invited } from "../../components/invited.tsx";
import { IdentifierField, missingText } from "../../components/identifier-field.tsx";
import { Action, Form, ProblemNote } from "../../components/form.tsx";
import { Or, ProviderButtons } from "../../components/provider-buttons.tsx";
import { Lead } from "../../components/lead.tsx";

/** Asks for the visitor's identifier. */
export function drawIdentifier({ frame, say, problem }: StepDrawing, screen: IdentifierScreen): PageParts {
  const { identifier, kinds, again = false, signUp, providers = [], invitation } = screen;
  const told = problem?.text === "identifierMissing" ? { ...problem, text: missingText(kinds) } : problem;
  return {
    title: say.text(again ? "againTitle" : "identifierTitle"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        {invitation === undefined ? <Lead frame={frame} say={say} /> : <Invited say={say} invitation={invitation} />}
        <ProblemNote frame={frame} say={say} problem={told} />
        {(kinds.length > 0 || providers.length === 0) && (
          <Form frame={frame}>
            <IdentifierField say={say} kinds={kinds} identifier={identifier} problem={problem} />
            <Action value="continue">{say.text("identifierContinue")}</Action>
          </Form>
        )}
        {kinds.length > 0 && providers.length > 0 && <Or say={say} />}
        {providers.length > 0 && <ProviderButtons frame={frame} say={say} providers={providers} />}
        {signUp && (
          <div class="others">
            <Form frame={frame}>
              <span>{say.text("identifierNoAccount")}</span>
              <Action value="sign-up" kind="small">
                {say.text("identifierSignUp")}
              </Action>
            </Form>
          </div>
        )}
      </>
    ),
  };
}
