import type { ServiceContext, TenantContext } from "../../context.ts";
import type { HostAction } from "../../adapters/actions.ts";
import { PosternError } from "../../errors.ts";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import { DeadlineError, withDeadline } from "../../adapters/deadline.ts";

/** The functions of an action. */
export type Trigger = Extract<keyof HostAction, `on${string}`>;

/** An action that implements a trigger, and its position in the list. */
export interface ListedAction {
  readonly action: HostAction;
  readonly name: string;
  readonly at: number;
}

const defaultTimeout = 10;

/** The audit event types of failed triggers. */
const failureEvents: { readonly [On in Trigger]?: AuditEventType } = {
  onExecutePostUserRegistration: "fpurh",
  onExecutePostChangePassword: "fcph",
};

/** The actions that implement a trigger, in their order. */
export function actionsWith(context: ServiceContext, trigger: Trigger): readonly ListedAction[] {
  return context.host.actions.flatMap((action, at) =>
    action[trigger] === undefined ? [] : [{ action, at, name: action.name ?? `action ${at + 1}` }],
  );
}

/**
 * Calls a function of an action with its timeout. Writes a failure to the operator's log and the audit log.
 * @param call calls the function. It must be `async`, so that an exception that the function throws synchronously is
 * handled as well.
 * @throws {PosternError} `temporarily_unavailable` if the function failed; the error does not contain the reason.
 */
export async function callAction(
  tenant: TenantContext,
  trigger: Trigger,
  { action, name }: ListedAction,
  call: () => Promise<void>,
): Promise<void> {
  const milliseconds = (action.timeoutSeconds ?? defaultTimeout) * 1000;
  try {
    await withDeadline(call, milliseconds, `the action '${name}'`, tenant.host.wait);
  } catch (error) {
    tenant.host.logger.log({
      level: "error",
      event: "action_failed",
      action: name,
      trigger,
      tenant_id: tenant.data.tenantId,
      request_id: tenant.requestInfo.requestId,
      error,
    });
    const why = error instanceof DeadlineError ? "did not end in time" : "failed";
    await tenant.audit({
      type: failureEvents[trigger] ?? "actions_execution_failed",
      description: `The action '${name}' ${why}.`,
      details: { action: name, trigger },
    });
    throw new PosternError("temporarily_unavailable", "The service cannot do this now. Try again later.", { cause: error });
  }
}
