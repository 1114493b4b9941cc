import type { Drawing, PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { Clamped, Form, FormAction, Name, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** An application in the list. */
export interface ListedApp {
  readonly id: string;
  readonly name: string;
  readonly scope: readonly string[];
  /** The formatted date since which the application has access. */
  readonly since: string;
  /** The URL of the page that asks whether to remove the access. Undefined if the user cannot. */
  readonly remove: string | undefined;
}

/** The data for {@link drawApps}. */
export interface ShownApps {
  readonly apps: readonly ListedApp[];
  readonly isRemoved: boolean;
}

/** Draws the list of the applications that have access to the user's account. */
export function drawApps({ frame, t, problem }: StepDrawing, { apps, isRemoved }: ShownApps): PageParts {
  return {
    title: t.text("appsTitle"),
    problem: problem !== undefined,
    content: (
      <>
        {isRemoved && <AccountNotice icon="check" text={t.text("appsRemoved")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        {apps.length === 0 && <p class="lead">{t.text("appsNone")}</p>}
        <ul class="methods">
          {apps.map(({ id, name, scope, since, remove }) => (
            <li key={id}>
              <Clamped class="row-name">{name}</Clamped>
              <span class="row-detail">{t.text("appsSince", { date: since })}</span>
              {scope.map((value) => (
                <bdi key={value} class="row-detail">
                  <code>{value}</code>
                </bdi>
              ))}
              {remove !== undefined && (
                <div class="others">
                  <a class="button small" href={remove} aria-label={t.text("appsRemoveName", { name })}>
                    {t.text("appsRemove")}
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

/** Draws the page that asks whether to remove the access of an application. */
export function drawRemoveApp({ frame, t }: Drawing, { name, back }: { readonly name: string; readonly back: string }): PageParts {
  return {
    title: t.text("appsRemoveTitle"),
    content: (
      <>
        <p class="lead">{t.pieces("appsRemoveLead", { name: <Name>{name}</Name> })}</p>
        <Form frame={frame}>
          <FormAction value="remove-app">{t.text("appsRemove")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
