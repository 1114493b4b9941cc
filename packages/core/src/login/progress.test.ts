import { expect, test } from "vitest";
import { aimProgress, withoutParts, type LoginProgress } from "./progress.ts";
import { progressAfter } from "./step.ts";
import { codeProgress } from "./steps/code/progress.ts";
import { factorProgress } from "./steps/factor/progress.ts";

const progress: LoginProgress = {
  proofs: [],
  aim: "sign-up",
  identifier: "bea@example.test",
  factor_choice: { type: "phone", destination: "mfa_1" },
  factor_code: { factor_id: "mfa_1", user_id: "auth0|1", sent_at: 0 },
};

test("drops all members of the parts, and nothing else", () => {
  expect(withoutParts(progress, [aimProgress, factorProgress, codeProgress])).toEqual({ proofs: [], identifier: "bea@example.test" });
  expect(progress.aim).toBe("sign-up");
});

test("an action can enter the step again that it leaves", () => {
  const after = progressAfter(progress, { leaves: [factorProgress], change: (rest) => ({ ...rest, factor_choice: { type: "totp" } }) });
  expect(after).toEqual({ proofs: [], aim: "sign-up", identifier: "bea@example.test", factor_choice: { type: "totp" } });
});

test("an action without changes keeps the progress", () => {
  expect(progressAfter(progress, {})).toBe(progress);
});
