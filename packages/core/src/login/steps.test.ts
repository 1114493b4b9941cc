import { expect, test } from "vitest";
import { actions, steps } from "./steps.ts";

test.each(steps.map((step) => [step.name, step] as const))(
  "%s shares action names with other steps only for identical actions",
  (_, step) => {
    for (const [name, action] of Object.entries(step.actions)) expect(action, name).toBe(actions[name]);
  },
);
