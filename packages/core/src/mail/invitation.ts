import type { Row } from "../data/schema.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/**
 * Mails an invitation where the host sends mail. The invitation stands whether its mail could be sent or not: its address is in the reply,
 * and what went wrong is on record.
 */
export async function mailInvitation(
  tenant: Tenant,
  organization: Row<"organizations">,
  invitation: Row<"invitations">,
  link: string,
): Promise<void> {
  const { mail, logger } = tenant.environment;
  if (mail === undefined) return;
  const { name } = organizationLook(organization);
  const subject = `${invitation.inviter_name} invites you to ${name}`;
  const lines = [
    `${invitation.inviter_name} invites you to join ${name}.`,
    `The invitation is good until ${new Date(invitation.expires_at).toUTCString()}.`,
    "If you do not know why you got it, do nothing.",
  ];
  try {
    await mail.send({
      tenantId: tenant.id,
      template: "user_invitation",
      to: invitation.invitee_email,
      subject: subject.replaceAll(/\s+/g, " "),
      text: [lines[0], link, ...lines.slice(1)].join("\n\n"),
      html: [
        paragraph(lines[0] ?? ""),
        `<p><a href="${escape(link)}">Accept the invitation</a></p>`,
        ...lines.slice(1).map(paragraph),
      ].join("\n"),
      link,
    });
  } catch (error) {
    logger.log({ level: "warn", event: "mail_failed", template: "user_invitation", tenant_id: tenant.id, error });
    await tenant.audit({
      type: "fn",
      description: "The mail of an invitation could not be sent.",
      organization: { id: organization.id, name: organization.name },
      details: { invitation_id: invitation.id },
    });
  }
}

function paragraph(text: string): string {
  return `<p>${escape(text)}</p>`;
}

const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
