import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** Returns the mail which tells the owner of an account about a sign-in from a new device. */
export function newDevice(facts: SignInFacts): MailMessage {
  return {
    template: "new_device",
    values: { user: { source_ip: facts.ip ?? "" } },
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("newDeviceSubject"),
        blocks: [
          { kind: "text", text: t.text("newDeviceLead", { sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text("newDeviceNote") },
        ],
      };
    },
  };
}
