import type { CreateAccountScreen } from "./step.ts";
import { Account } from "../../components/account.tsx";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Action, Form, Name, ProblemNote } from "../../components/form.tsx";
import { Tile } from "../../components/marks.tsx";
import { NewPassword } from "../../components/new-password.tsx";

/** Asks an invited user who has no account for a password. */
export function drawCreateAccount(
  { frame, say, problem }: StepDrawing,
  { organization, inviter, email, rules }: CreateAccountScreen,
): PageParts {
  return {
    title: say.text("createAccountTitle"),
    pictures: [organization.logoUrl],
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile name={organization.name} picture={organization.logoUrl} />
      </div>
    ),
    content: (
      <>
        <p class="lead">
          {say.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: <Name>{organization.name}</Name> })}
        </p>
        <Account
          frame={frame}
          account={email}
          about={say.text("createAccountFor")}
          change="have-account"
          changeText={say.text("passwordChange")}
          changeName={say.text("createAccountOtherName")}
        />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <NewPassword say={say} account={email} label={say.text("createAccountPassword")} rules={rules} problem={problem} />
          <Action value="create-account">{say.text("createAccountSubmit")}</Action>
        </Form>
      </>
    ),
  };
}
