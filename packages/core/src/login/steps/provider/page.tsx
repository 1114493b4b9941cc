import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { ProblemNote } from "../../components/form.tsx";
import { Lead } from "../../components/lead.tsx";
import { ProviderButtons } from "../../components/provider-buttons.tsx";
import { AnotherWay } from "../link-account/another-way.tsx";
import type { ProviderScreen } from "./step.ts";

/** Draws the page that offers one identity provider. */
export function drawProvider({ frame, t, problem }: StepDrawing, { provider, linking }: ProviderScreen): PageParts {
  return {
    title: t.text("identifierTitle"),
    content: (
      <>
        <Lead frame={frame} t={t} />
        <ProblemNote frame={frame} t={t} problem={problem} />
        <ProviderButtons frame={frame} t={t} providers={[provider]} />
        {linking && (
          <div class="others">
            <AnotherWay frame={frame} t={t} />
          </div>
        )}
      </>
    ),
  };
}
