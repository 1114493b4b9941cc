import type { Problem } from "../../login/step.ts";

/** Why a visitor cannot continue with a user code. */
export type UserCodeProblem = "missing" | "wrong" | "too-many";

const problems: { readonly [Name in UserCodeProblem]: Problem } = {
  missing: { text: "deviceCodeMissing", field: "user_code", error: ["invalid_request", "body: 'user_code' is missing"] },
  // One text for unknown, used and expired codes: it must not reveal whether a code exists.
  wrong: { text: "deviceCodeWrong", field: "user_code", error: ["invalid_grant", "the user code is unknown, used or expired"] },
  "too-many": { text: "tooManyAttempts", error: ["TOO_MANY_REQUESTS", "too many wrong user codes"] },
};

/** Returns the problem that the URL of the page names. */
export function userCodeProblem(name: string | undefined): Problem | undefined {
  return name !== undefined && isProblem(name) ? problems[name] : undefined;
}

function isProblem(name: string): name is UserCodeProblem {
  return Object.hasOwn(problems, name);
}
