import type { JSX } from "preact";
import type { InvitedTo } from "../steps/invitation/invitation.ts";
import type { Drawing } from "./drawing.ts";
import { Name } from "./form.tsx";
import { Tile } from "./marks.tsx";

/** Shows the organization and the inviter on every page of an invited login. Renders nothing without an invitation. */
export function Invited({ t, invitation }: Pick<Drawing, "t"> & { readonly invitation: InvitedTo | undefined }): JSX.Element | null {
  if (invitation === undefined) return null;
  const { organization, inviter } = invitation;
  return (
    <div class="invited">
      <Tile name={organization.name} picture={organization.logoUrl} />
      <p>{t.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: <Name>{organization.name}</Name> })}</p>
    </div>
  );
}
