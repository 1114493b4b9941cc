import type { Drawing, PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { Clamped, Form, FormAction, Name, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** An organization in the list. */
export interface ListedOrganization {
  readonly id: string;
  readonly name: string;
  /** The URL of the page that asks whether to leave. Undefined if the user cannot. */
  readonly leave: string | undefined;
}

/** The data for {@link drawOrganizations}. */
export interface ShownOrganizations {
  readonly organizations: readonly ListedOrganization[];
  readonly hasLeft: boolean;
}

/** Draws the list of the organizations that the user is a member of. */
export function drawOrganizations({ frame, t, problem }: StepDrawing, { organizations, hasLeft }: ShownOrganizations): PageParts {
  return {
    title: t.text("organizationsTitle"),
    problem: problem !== undefined,
    content: (
      <>
        {hasLeft && <AccountNotice icon="check" text={t.text("accountSaved")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        {organizations.length === 0 && <p class="lead">{t.text("organizationsNone")}</p>}
        <ul class="methods">
          {organizations.map(({ id, name, leave }) => (
            <li key={id}>
              <Clamped class="row-name">{name}</Clamped>
              {leave !== undefined && (
                <div class="others">
                  <a class="button small" href={leave} aria-label={t.text("organizationsLeaveName", { name })}>
                    {t.text("organizationsLeave")}
                  </a>
                </div>
              )}
            </li>
          ))}
        </ul>
      </>
    ),
  };
}

/** Draws the page that asks whether to leave an organization. */
export function drawLeave({ frame, t }: Drawing, { name, back }: { readonly name: string; readonly back: string }): PageParts {
  return {
    title: t.text("organizationsLeaveTitle"),
    content: (
      <>
        <p class="lead">{t.pieces("organizationsLeaveLead", { name: <Name>{name}</Name> })}</p>
        <Form frame={frame}>
          <FormAction value="leave-organization">{t.text("organizationsLeave")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
