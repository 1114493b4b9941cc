import type { MailMessage } from "../message.ts";
import { timeText } from "./time-text.ts";

/** The data in an invitation mail. */
interface InvitationFacts {
  readonly inviter: string;
  readonly organization: string;
  readonly link: string;
  /** When the invitation expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Returns the mail that invites a user to an organization. */
export function invitationMail({ inviter, organization, link, expiresAt }: InvitationFacts): MailMessage {
  return {
    template: "user_invitation",
    link,
    values: { inviter: { name: inviter } },
    write: ({ t }) => ({
      subject: t.text("invitationSubject", { inviter, organization }),
      blocks: [
        { kind: "text", text: t.text("invitationLead", { inviter, organization }) },
        { kind: "link", label: t.text("invitationButton"), link },
        { kind: "text", text: t.text("invitationUntil", { time: timeText(expiresAt, t.lang) }) },
        { kind: "note", text: t.text("invitationNote") },
      ],
    }),
  };
}
