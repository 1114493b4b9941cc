import { expect, test } from "vitest";
import { actions, steps } from "./steps.ts";

test.each(steps.map((step) => [step.name, step] as const))(
  "%s shares an action's name with other steps only where it shares the action",
  (_, step) => {
    for (const [name, action] of Object.entries(step.actions)) expect(action, name).toBe(actions[name]);
  },
);
