import type { Problem } from "../step.ts";
import { alreadyEnrolledProblem, tooManyCodesProblem } from "../steps/problems.ts";
import { keyRejected } from "../steps/webauthn/key-response.ts";

/** The problems of every page on which a user passes or adds a factor. */
export const factorProblems = {
  "code-missing": { text: "factorCodeMissing", field: "code", error: ["invalid_request", "body: 'code' is missing"] },
  "wrong-code": { text: "factorCodeWrong", field: "code", error: ["invalid_grant", "the code is wrong, already used or expired"] },
  "too-many-attempts": {
    text: "factorTooManyAttempts",
    error: ["TOO_MANY_REQUESTS", "Too many failed codes. Wait for some minutes before retrying."],
  },
  "too-many-codes": tooManyCodesProblem,
  "already-enrolled": alreadyEnrolledProblem,
  "key-rejected": keyRejected,
} as const satisfies { readonly [name: string]: Problem };

/** Why a code or response of a factor was not accepted. */
export type RejectedFactor = Extract<keyof typeof factorProblems, "code-missing" | "wrong-code" | "too-many-attempts" | "key-rejected">;

/** Returns the problem with a name that the URL of a page contains. */
export function factorProblem(name: string | undefined): Problem | undefined {
  return new Map<string, Problem>(Object.entries(factorProblems)).get(name ?? "");
}
