import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { ProblemNote } from "../../../login/components/form.tsx";
import { ProviderButtons } from "../../../login/components/provider-buttons.tsx";
import type { ProviderChoice } from "../../../login/upstream/providers.ts";
import { BackToSection } from "../pages/back.tsx";

/** The data for {@link drawLink}. */
export interface LinkScreen {
  readonly providers: readonly ProviderChoice[];
  readonly back: string;
}

/** Draws the page on which the user chooses the identity provider of the account to link. */
export function drawLink({ frame, t, problem }: StepDrawing, { providers, back }: LinkScreen): PageParts {
  return {
    title: t.text("linkedAdd"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.text("linkedAddLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <ProviderButtons frame={frame} t={t} providers={providers} />
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
