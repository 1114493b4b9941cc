import type { Action, LogEntry } from "@postern/core";
import { openMailing, type MailingService } from "../support/mailing.ts";
import type { TestOptions } from "../support/postern.ts";

/** A service with two actions, whose functions a test sets. */
interface ActionService extends MailingService {
  /** Sets the functions of the first and of the second action. */
  setActions(first: Action, second?: Action): void;
  /** The operator's log entries of failed actions. */
  failures(): readonly LogEntry[];
}

const triggers = [
  "onExecutePostLogin",
  "onContinuePostLogin",
  "onExecutePreUserRegistration",
  "onExecutePostUserRegistration",
  "onExecuteCredentialsExchange",
  "onExecutePostChangePassword",
  "onExecutePreUserUpdate",
] as const;

export async function openActionService(options: TestOptions = {}): Promise<ActionService> {
  const actions: Action[] = [{}, {}];
  // Each function looks up the test's function when it is called.
  const listed = ["first", "second"].map((name, at): Action => {
    const call = (trigger: (typeof triggers)[number]) => async (event: never, api: never) => {
      const run: ((event: never, api: never) => unknown) | undefined = actions[at]?.[trigger];
      await run?.(event, api);
    };
    return {
      name,
      secrets: { KEY: `${name}-secret` },
      timeoutSeconds: 0.2,
      ...Object.fromEntries(triggers.map((trigger) => [trigger, call(trigger)])),
    };
  });
  const mailing = await openMailing({}, { ...options, actions: listed });
  return {
    ...mailing,
    setActions: (first, second = {}) => void actions.splice(0, 2, first, second),
    failures: () => mailing.logEntries.filter(({ event }) => event === "action_failed"),
  };
}
