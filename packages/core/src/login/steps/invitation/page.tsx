import type { InvitationScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { SignedInAs } from "../../components/account.tsx";
import { Action, Form, Name } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";
import { Tile } from "../../components/marks.tsx";

/** Asks whether to join an organization. Tells a user who is not the invited one to sign in with another account. */
export function drawInvitation({ frame, say }: Drawing, { organization, inviter, email, account, invited }: InvitationScreen): PageParts {
  const name = <Name>{organization.name}</Name>;
  return {
    title: say.text("invitationTitle", { organization: organization.name }),
    heading: say.pieces("invitationTitle", { organization: name }),
    pictures: [organization.logoUrl],
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile name={organization.name} picture={organization.logoUrl} />
      </div>
    ),
    content: (
      <>
        <p class="lead">{say.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: name })}</p>
        {invited ? (
          <SignedInAs say={say} account={account} />
        ) : (
          <div class="problem notice">
            <Icon name="person" />
            <p>
              {say.pieces("invitationOther", { email: <Name>{email}</Name> })}{" "}
              {say.pieces("consentAccount", { account: <Name>{account}</Name> })}
            </p>
          </div>
        )}
        <Form frame={frame} class="answers">
          {invited && <Action value="accept-invitation">{say.text("invitationAccept")}</Action>}
          <Action value="other-account" kind={invited ? "second" : "main"}>
            {say.text("accountOther")}
          </Action>
          <Action value="not-now" kind="second">
            {say.text("invitationNotNow")}
          </Action>
        </Form>
      </>
    ),
  };
}
