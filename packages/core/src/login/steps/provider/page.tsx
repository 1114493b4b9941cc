import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { ProblemNote } from "../../components/form.tsx";
import { Lead } from "../../components/lead.tsx";
import { ProviderButtons } from "../../components/provider-buttons.tsx";
import type { ProviderScreen } from "./step.ts";

/** Offers the identity provider that the client requested. */
export function drawProvider({ frame, say, problem }: StepDrawing, { provider }: ProviderScreen): PageParts {
  return {
    title: say.text("identifierTitle"),
    content: (
      <>
        <Lead frame={frame} say={say} />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <ProviderButtons frame={frame} say={say} providers={[provider]} />
      </>
    ),
  };
}
