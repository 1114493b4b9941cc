import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** Tells the owner of an account about a sign-in from a new device. */
export function newDevice(facts: SignInFacts): MailMessage {
  return {
    template: "new_device",
    values: { user: { source_ip: facts.ip ?? "" } },
    write: (writing) => {
      const { say, sender } = writing;
      return {
        subject: say.text("newDeviceSubject"),
        blocks: [
          { kind: "text", text: say.text("newDeviceLead", { sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: say.text("newDeviceNote") },
        ],
      };
    },
  };
}
