import type { JSX } from "preact";
import type { InvitedTo } from "../steps/invitation/invitation.ts";
import type { Drawing } from "./drawing.ts";
import { Name } from "./form.tsx";
import { Tile } from "./marks.tsx";

/**
 * Renders the organization and the inviter, for the pages of a login that started from an invitation. Renders nothing
 * without an invitation.
 */
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
