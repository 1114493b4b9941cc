import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { ProblemNote } from "../../components/form.tsx";
import { Lead } from "../../components/lead.tsx";
import { ProviderButtons } from "../../components/provider-buttons.tsx";
import type { ProviderScreen } from "./step.ts";

/** Draws the page that offers the identity provider that the client requested. */
export function drawProvider({ frame, t, problem }: StepDrawing, { provider }: ProviderScreen): PageParts {
  return {
    title: t.text("identifierTitle"),
    content: (
      <>
        <Lead frame={frame} t={t} />
        <ProblemNote frame={frame} t={t} problem={problem} />
        <ProviderButtons frame={frame} t={t} providers={[provider]} />
      </>
    ),
  };
}
