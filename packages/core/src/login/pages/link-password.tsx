import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { NewPasswordForm } from "../components/new-password-form.tsx";
import type { NewPasswordRule } from "../new-password.ts";
import type { Problem } from "../step.ts";

/** The data for {@link drawLinkPassword}. */
export interface LinkPassword {
  /** The name of the account. */
  readonly account: string;
  /** The rules for the password. */
  readonly rules: readonly NewPasswordRule[];
  /** Why the page is shown again. */
  readonly problem: Problem | undefined;
}

/** Draws the page that asks for a new password, after the user opened a link from a mail. */
export function drawLinkPassword({ frame, t }: Drawing, { account, rules, problem }: LinkPassword): PageParts {
  return {
    title: t.text("newPasswordTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <ForAccount account={account} about={t.text("newPasswordFor")} />
        <NewPasswordForm frame={frame} t={t} problem={problem} account={account} rules={rules} submit={t.text("linkResetSubmit")} />
      </>
    ),
  };
}
