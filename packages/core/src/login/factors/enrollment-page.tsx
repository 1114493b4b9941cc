import type { ComponentChildren, JSX } from "preact";
import type { PageParts, StepDrawing } from "../components/drawing.ts";
import { Name, ProblemNote } from "../components/form.tsx";
import { MethodRows } from "../components/method-rows.tsx";
import type { AddFactorScreen } from "../steps/add-factor/step.ts";
import { OtherAccount, type FactorPlace } from "./challenge-page.tsx";
import { AddedTo } from "./enrollment-parts.tsx";
import { factorPages } from "./kinds.ts";
import type { EnrollmentDrawing } from "./kinds/kind.ts";

/** The parts of the pages that differ outside the login. */
export interface AddFactorPlace extends FactorPlace {
  /** The text above the list of factors. Default: the tenant requires a factor. */
  readonly lead?: ComponentChildren;
}

/** Draws the pages with which a user adds a second factor. */
export function drawAddFactor(drawing: StepDrawing, screen: AddFactorScreen, place: AddFactorPlace = {}): PageParts {
  const { t } = drawing;
  const { factor, frozen } = screen;
  const parts: EnrollmentDrawing = { ...drawing, screen, exit: <OtherAccount {...drawing} />, ...place };
  const enrollment = factor && factorPages[factor].enrollment;
  if (enrollment !== undefined) return { title: t.text(enrollment.title), content: <enrollment.Content {...parts} /> };
  if (frozen === true) return { title: t.text("securityFrozenTitle"), content: <Frozen {...parts} /> };
  return { title: t.text("addFactorTitle"), content: <Options {...parts} /> };
}

function Frozen({ t, exit }: EnrollmentDrawing): JSX.Element {
  return (
    <>
      <p class="lead">{t.text("addFactorFrozen")}</p>
      <div class="others">{exit}</div>
    </>
  );
}

function Options({ frame, t, problem, screen, lead, about, exit }: EnrollmentDrawing): JSX.Element {
  const rows = screen.options.flatMap((factor) => {
    const { enrollment } = factorPages[factor];
    return enrollment === undefined ? [] : [{ factor, name: t.text(enrollment.name(screen.channel)), detail: t.text(enrollment.hint) }];
  });
  return (
    <>
      <p class="lead">{lead ?? t.pieces("addFactorLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
      <AddedTo about={about} />
      <ProblemNote frame={frame} t={t} problem={problem} />
      <MethodRows frame={frame} action="choose-new-factor" rows={rows} />
      <div class="others">{exit}</div>
    </>
  );
}
