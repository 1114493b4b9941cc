import type { MailMessage } from "../message.ts";
import { timeText } from "./time-text.ts";

/** When an account will be deleted, in milliseconds since 1970. */
interface Deletion {
  readonly at: number;
  /** Whether the mail repeats an earlier one. */
  readonly isReminder?: true;
}

/** Returns the mail which tells users when the account that they asked to delete will be deleted. */
export function accountDeletion({ at, isReminder }: Deletion): MailMessage {
  return {
    template: isReminder === true ? "account_deletion_reminder" : "account_deletion",
    write: ({ t, sender }) => ({
      subject: t.text(isReminder === true ? "deletionReminderSubject" : "deletionSubject"),
      blocks: [
        { kind: "text", text: t.text("deletionLead", { sender, time: timeText(at, t.lang) }) },
        { kind: "text", text: t.text("deletionKeep") },
        { kind: "note", text: t.text("deletionNote") },
      ],
    }),
  };
}
