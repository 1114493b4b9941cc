import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { ProblemNote } from "../../../login/components/form.tsx";
import { NewPasswordForm } from "../../../login/components/new-password-form.tsx";
import type { NewPasswordRule } from "../../../login/new-password.ts";
import { BackToSection } from "../pages/back.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** The data for {@link drawPasswordState}. */
export interface ShownPassword {
  /** The formatted time of the last change. Undefined if the password was never changed. */
  readonly changedAt: string | undefined;
  /** Whether the account has a password that its user may change, unless the section is read-only. */
  readonly isChangeable: boolean;
  /** The URL of the form. Undefined if the user can change nothing. */
  readonly edit: string | undefined;
  readonly isSaved: boolean;
}

/** Draws the section of the password. */
export function drawPasswordState(
  { frame, t, problem }: StepDrawing,
  { changedAt, isChangeable, edit, isSaved }: ShownPassword,
): PageParts {
  return {
    title: t.text("passwordLabel"),
    problem: problem !== undefined,
    content: (
      <>
        {isSaved && <AccountNotice icon="check" text={t.text("passwordSectionSaved")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        {!isChangeable && <p class="lead">{t.text("passwordSectionNone")}</p>}
        {isChangeable && changedAt !== undefined && <p class="lead">{t.text("passwordSectionChanged", { date: changedAt })}</p>}
        {edit !== undefined && (
          <a class="button second" href={edit}>
            {t.text("newPasswordTitle")}
          </a>
        )}
      </>
    ),
  };
}

/** The data for {@link drawChangePassword}. */
export interface ChangePassword {
  /** The name of the account, for password managers. */
  readonly account: string;
  readonly rules: readonly NewPasswordRule[];
  readonly back: string;
}

/** Draws the form for a new password. */
export function drawChangePassword({ frame, t, problem }: StepDrawing, { account, rules, back }: ChangePassword): PageParts {
  return {
    title: t.text("newPasswordTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <NewPasswordForm frame={frame} t={t} problem={problem} account={account} rules={rules} submit={t.text("linkResetSubmit")} />
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
