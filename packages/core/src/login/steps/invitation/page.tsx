import type { InvitationScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { SignedInAs } from "../../components/account.tsx";
import { FormAction, Form, Name } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";
import { OrganizationMark } from "../../components/marks.tsx";

/**
 * Draws the page that asks whether to join an organization. If the signed-in user is not the one who was invited, the
 * page asks them to sign in with another account.
 */
export function drawInvitation({ frame, t }: Drawing, { organization, inviter, email, account, invited }: InvitationScreen): PageParts {
  const name = <Name>{organization.name}</Name>;
  return {
    title: t.text("invitationTitle", { organization: organization.name }),
    heading: t.pieces("invitationTitle", { organization: name }),
    pictures: [organization.logoUrl],
    mark: <OrganizationMark organization={organization} />,
    content: (
      <>
        <p class="lead">{t.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: name })}</p>
        {invited ? (
          <SignedInAs t={t} account={account} />
        ) : (
          <div class="problem notice">
            <Icon name="person" />
            <p>
              {t.pieces("invitationOther", { email: <Name>{email}</Name> })}{" "}
              {t.pieces("consentAccount", { account: <Name>{account}</Name> })}
            </p>
          </div>
        )}
        <Form frame={frame} class="answers">
          {invited && <FormAction value="accept-invitation">{t.text("invitationAccept")}</FormAction>}
          <FormAction value="other-account" kind={invited ? "second" : "main"}>
            {t.text("accountOther")}
          </FormAction>
          <FormAction value="not-now" kind="second">
            {t.text("invitationNotNow")}
          </FormAction>
        </Form>
      </>
    ),
  };
}
