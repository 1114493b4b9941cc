import type { ServiceContext, TenantContext } from "../../context.ts";
import type { Action } from "../../adapters/actions.ts";
import { PosternError } from "../../errors.ts";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import { DeadlineError, withDeadline } from "../../adapters/deadline.ts";

/** The functions of an action. */
export type Trigger = Extract<keyof Action, `on${string}`>;

/** An action that has a function, and where it stands in the list. */
export interface ListedAction {
  readonly action: Action;
  readonly name: string;
  readonly at: number;
}

const defaultTimeout = 10;

/** The audit code of a function that failed. */
const failureEvents: { readonly [On in Trigger]?: AuditEventType } = {
  onExecutePostUserRegistration: "fpurh",
  onExecutePostChangePassword: "fcph",
};

/** The actions that have a function, in their order. */
export function actionsWith(context: ServiceContext, trigger: Trigger): readonly ListedAction[] {
  return context.host.actions.flatMap((action, at) =>
    action[trigger] === undefined ? [] : [{ action, at, name: action.name ?? `action ${at + 1}` }],
  );
}

/**
 * Calls a function of an action, and waits for it no longer than it may take. A failure is told to the operator, here.
 * @param call calls it. It is `async`, so that what a function throws at once is a failure like any other.
 * @throws {PosternError} `temporarily_unavailable` where it failed: it says nothing of the reason.
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
