import type { ServiceContext, TenantContext } from "../../context.ts";
import type { Action } from "../../adapters/actions.ts";
import { PosternError } from "../../errors.ts";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import { DeadlineError, withDeadline } from "../../adapters/deadline.ts";

/** The names of the functions that an action can have. */
type Trigger = Extract<keyof Action, `on${string}`>;

/** An action that implements a trigger, and its position in the list. */
export interface ListedAction {
  readonly action: Action;
  readonly name: string;
  readonly at: number;
}

const defaultTimeout = 10;

/** The audit event type to write when a trigger fails. */
const failureEvents: { readonly [On in Trigger]?: AuditEventType } = {
  onExecutePostUserRegistration: "fpurh",
  onExecutePostChangePassword: "fcph",
};

/** Returns the actions that implement a trigger, in the configured order. */
export function actionsWith(context: ServiceContext, trigger: Trigger): readonly ListedAction[] {
  return context.host.actions.flatMap((action, at) =>
    action[trigger] === undefined ? [] : [{ action, at, name: action.name ?? `action ${at + 1}` }],
  );
}

/**
 * Calls a function of an action and limits its duration. Writes a failure to the operator's log and to the audit log.
 * @param call calls the action's function. `call` must be `async`, so that an exception that the action throws
 * synchronously is handled as well.
 * @throws {PosternError} `temporarily_unavailable` if the function failed or timed out; the message does not contain
 * the reason.
 */
export async function callAction(
  tenant: TenantContext,
  trigger: Trigger,
  { action, name }: ListedAction,
  call: () => Promise<void>,
): Promise<void> {
  const milliseconds = (action.timeoutSeconds ?? defaultTimeout) * 1000;
  try {
    const { telemetry, wait } = tenant.host;
    const run = () => withDeadline(call, milliseconds, `the action '${name}'`, wait);
    const attributes = { "postern.action.trigger": trigger };
    const measured = { histogram: "actionDuration", attributes } as const;
    await (telemetry === undefined ? run() : telemetry.observe({ name: `action ${trigger}`, attributes, measured }, run));
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
    const why = error instanceof DeadlineError ? "timed out" : "failed";
    await tenant.audit({
      type: failureEvents[trigger] ?? "actions_execution_failed",
      description: `The action '${name}' ${why}.`,
      details: { action: name, trigger },
    });
    throw new PosternError("temporarily_unavailable", "The service cannot do this now. Try again later.", { cause: error });
  }
}
