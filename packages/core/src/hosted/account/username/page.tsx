import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { describedByProblem, Form, FormAction, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";
import { EditLink } from "../pages/edit-link.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** The data for {@link drawUsername}. */
export interface ShownUsername {
  /** Undefined if the account has none. */
  readonly username: string | undefined;
  /** The URL of the form. Undefined if the user can change nothing. */
  readonly edit: string | undefined;
  readonly isSaved: boolean;
}

/** Draws the username of the signed-in user. */
export function drawUsername({ frame, t, problem }: StepDrawing, { username, edit, isSaved }: ShownUsername): PageParts {
  return {
    title: t.text("profileUsername"),
    problem: problem !== undefined,
    content: (
      <>
        {isSaved && <AccountNotice icon="check" text={t.text("accountSaved")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        <dl class="facts">
          <dt>{t.text("profileUsername")}</dt>
          <dd>{username === undefined ? t.text("languageUnset") : <bdi>{username}</bdi>}</dd>
        </dl>
        <EditLink t={t} href={edit} />
      </>
    ),
  };
}

/** Draws the form for a new username. @param screen the current username, which is '' if the account has none. */
export function drawNewUsername(
  { frame, t, problem }: StepDrawing,
  { username, back }: { readonly username: string; readonly back: string },
): PageParts {
  return {
    title: t.text("profileUsername"),
    problem: problem !== undefined,
    content: (
      <>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="username">{t.text("profileUsername")}</label>
            <input
              id="username"
              name="username"
              class="input"
              type="text"
              value={username}
              dir="auto"
              autocomplete="username"
              autocapitalize="none"
              enterkeyhint="go"
              spellcheck={false}
              maxlength={128}
              required
              data-missing={t.text("missingUsername")}
              autofocus
              {...describedByProblem(problem, "username")}
            />
          </div>
          <FormAction value="save-username">{t.text("securitySave")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
