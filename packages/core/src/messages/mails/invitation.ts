import type { MailMessage } from "../message.ts";
import { timeText } from "./time-text.ts";

/** The content of an invitation. */
export interface InvitationFacts {
  readonly inviter: string;
  readonly organization: string;
  readonly link: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Invites a user to an organization. */
export function invitation({ inviter, organization, link, expiresAt }: InvitationFacts): MailMessage {
  return {
    template: "user_invitation",
    link,
    values: { inviter: { name: inviter } },
    write: ({ say }) => ({
      subject: say.text("invitationSubject", { inviter, organization }),
      blocks: [
        { kind: "text", text: say.text("invitationLead", { inviter, organization }) },
        { kind: "link", label: say.text("invitationButton"), link },
        { kind: "text", text: say.text("invitationUntil", { time: timeText(expiresAt, say.lang) }) },
        { kind: "note", text: say.text("invitationNote") },
      ],
    }),
  };
}
