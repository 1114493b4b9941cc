import type { Action } from "../../adapters/actions.ts";
import type { SmsSender } from "../../adapters/sms.ts";

/** Returns a sender that passes text messages to the action that implements sending; undefined if no action does. */
export function smsByAction(actions: readonly Action[] = []): SmsSender | undefined {
  const action = actions.find(({ onExecuteSendPhoneMessage: send }) => send !== undefined);
  if (action === undefined) return undefined;
  return {
    send: async ({ tenantId, template, to, text, code }) => {
      await action.onExecuteSendPhoneMessage?.({
        secrets: action.secrets ?? {},
        tenant: { id: tenantId },
        message_options: { action: template, message_type: "sms", recipient: to, text, ...(code !== undefined && { code }) },
      });
    },
  };
}
