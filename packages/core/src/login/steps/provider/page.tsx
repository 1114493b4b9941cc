import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Form, FormAction, ProblemNote } from "../../components/form.tsx";
import { Lead } from "../../components/lead.tsx";
import { ProviderButtons } from "../../components/provider-buttons.tsx";
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
            <Form frame={frame}>
              <FormAction value="another-way" kind="small">
                {t.text("linkAccountOther")}
              </FormAction>
            </Form>
          </div>
        )}
      </>
    ),
  };
}
