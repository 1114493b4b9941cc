import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { FormAction, Form, ProblemNote } from "../components/form.tsx";
import { NewPasswordField } from "../components/new-password.tsx";
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
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <NewPasswordField t={t} account={account} label={t.text("newPasswordLabel")} rules={rules} problem={problem} />
          <FormAction value="set-password">{t.text("linkResetSubmit")}</FormAction>
        </Form>
        <p class="note">{t.text("newPasswordNote")}</p>
      </>
    ),
  };
}
