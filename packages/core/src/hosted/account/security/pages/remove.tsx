import type { PageParts, StepDrawing } from "../../../../login/components/drawing.ts";
import { Form, FormAction, Name, ProblemNote } from "../../../../login/components/form.tsx";
import { Icon } from "../../../../login/components/icons.tsx";
import { BackToSection } from "../../pages/back.tsx";

/** The data for {@link drawRemove}. */
export interface FactorRemoval {
  /** The name of the factor. */
  readonly method: string;
  /** `last`: the user has no other factor. `required`: it cannot be removed, because the tenant requires a factor. */
  readonly removal: "plain" | "last" | "required";
  /** The URL of the overview. */
  readonly back: string;
}

/** Draws the page that asks whether to remove a factor. */
export function drawRemove({ frame, t, problem }: StepDrawing, { method, removal, back }: FactorRemoval): PageParts {
  const name = <Name>{method}</Name>;
  const isRequired = removal === "required";
  return {
    title: t.text(isRequired ? "securityRequiredTitle" : "securityRemoveTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">
          {isRequired
            ? t.pieces("securityRequiredLead", { tenant: <Name>{frame.tenantName}</Name> })
            : t.pieces("securityRemoveLead", { name })}
        </p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        {removal === "last" && (
          <div class="problem">
            <Icon name="alert" />
            <p>{t.text("securityRemoveLast")}</p>
          </div>
        )}
        {!isRequired && (
          <Form frame={frame}>
            <FormAction value="remove-factor">{t.text("securityRemove")}</FormAction>
          </Form>
        )}
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
