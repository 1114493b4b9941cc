import { startAfterResponse, type TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { actionConnection, actionRequest, actionUser } from "./action-user.ts";
import { actionsWith, callAction } from "./call-action.ts";

/** Calls the host's `onPasswordChanged` actions for an account whose password was set. They run after the response. */
export function runPasswordChanged(tenant: TenantContext, connection: Row<"connections">, account: Row<"users">): void {
  const trigger = "onExecutePostChangePassword";
  for (const one of actionsWith(tenant, trigger)) {
    const event = {
      secrets: one.action.secrets ?? {},
      tenant: { id: tenant.data.tenantId },
      request: actionRequest(tenant.requestInfo),
      connection: actionConnection(connection),
      user: actionUser(account),
    };
    // `callAction` has logged the failure already.
    startAfterResponse(tenant.requestInfo, () =>
      callAction(tenant, trigger, one, async () => one.action[trigger]?.(event)).catch(() => {}),
    );
  }
}
