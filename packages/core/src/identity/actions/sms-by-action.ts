import type { HostAction } from "../../adapters/actions.ts";
import type { SmsSender } from "../../adapters/sms.ts";

/** Sends text messages through the action that implements it; undefined if no action does. */
export function smsByAction(actions: readonly HostAction[] = []): SmsSender | undefined {
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
