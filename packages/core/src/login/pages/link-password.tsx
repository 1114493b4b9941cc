import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { Action, Form, ProblemNote } from "../components/form.tsx";
import { NewPassword } from "../components/new-password.tsx";
import type { NewPasswordRule } from "../new-password.ts";
import type { Problem } from "../step.ts";

/** The data of {@link drawLinkPassword}. */
export interface LinkPassword {
  /** The name of the account. */
  readonly account: string;
  /** The rules for the password. */
  readonly rules: readonly NewPasswordRule[];
  /** Why the page is shown again. */
  readonly problem: Problem | undefined;
}

export function drawLinkPassword({ frame, say }: Drawing, { account, rules, problem }: LinkPassword): PageParts {
  return {
    title: say.text("newPasswordTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <ForAccount account={account} about={say.text("newPasswordFor")} />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <NewPassword say={say} account={account} label={say.text("newPasswordLabel")} rules={rules} problem={problem} />
          <Action value="set-password">{say.text("linkResetSubmit")}</Action>
        </Form>
        <p class="note">{say.text("newPasswordNote")}</p>
      </>
    ),
  };
}
