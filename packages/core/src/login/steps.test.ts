import { expect, test } from "vitest";
import { actions, steps } from "./steps.ts";

test.each(steps.map((step) => [step.name, step] as const))(
  "the step %s has the same definition as other steps for each action name that they share",
  (_, step) => {
    for (const [name, action] of Object.entries(step.actions)) expect(action, name).toBe(actions[name]);
  },
);
