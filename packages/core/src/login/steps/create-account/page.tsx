import type { CreateAccountScreen } from "./step.ts";
import { Account } from "../../components/account.tsx";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { FormAction, Form, Name, ProblemNote } from "../../components/form.tsx";
import { OrganizationMark } from "../../components/marks.tsx";
import { NewPasswordField } from "../../components/new-password.tsx";

/** Draws the page that asks an invited user without an account for a password. */
export function drawCreateAccount(
  { frame, t, problem }: StepDrawing,
  { organization, inviter, email, rules }: CreateAccountScreen,
): PageParts {
  return {
    title: t.text("createAccountTitle"),
    pictures: [organization.logoUrl],
    mark: <OrganizationMark organization={organization} />,
    content: (
      <>
        <p class="lead">
          {t.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: <Name>{organization.name}</Name> })}
        </p>
        <Account
          frame={frame}
          account={email}
          about={t.text("createAccountFor")}
          change="have-account"
          changeText={t.text("passwordChange")}
          changeName={t.text("createAccountOtherName")}
        />
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <NewPasswordField t={t} account={email} label={t.text("createAccountPassword")} rules={rules} problem={problem} />
          <FormAction value="create-account">{t.text("createAccountSubmit")}</FormAction>
        </Form>
      </>
    ),
  };
}
