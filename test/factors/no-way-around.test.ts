import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = new URL("../../packages/core/src/", import.meta.url);

/** Returns the source files whose code calls a function, except the file that declares it. */
function callersOf(name: string): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => {
      const text = readFileSync(new URL(file, source), "utf8");
      return new RegExp(`(?<!function )\\b${name}\\(`).test(text) && !text.includes(`function ${name}(`);
    })
    .toSorted();
}

/**
 * A new call of one of these functions is a new way to a session. It must ask `checkFactors` first, and a test in this
 * folder must prove that it does.
 */
test("creates sessions only in files that check second factors", () => {
  expect(callersOf("createSession")).toEqual([
    "login/start-session.ts",
    "oauth/mfa/exchange-factor.ts",
    "oauth/token/user-token-response.ts",
  ]);
  expect(callersOf("reauthenticate")).toEqual(["login/start-session.ts"]);
  expect(callersOf("startSession")).toEqual(["login/pass-factor.ts", "login/upstream/pending-link.ts"]);
  expect(callersOf("checkFactors")).toEqual([
    "authorization/step-up/sign-in.ts",
    "oauth/mfa/exchange-factor.ts",
    "oauth/mfa/repeat-exchange.ts",
    "oauth/mfa/waiting-grant.ts",
    "oauth/token/user-token-response.ts",
  ]);
  expect(callersOf("decideSignInFactor")).toEqual(["login/missing-factor.ts"]);
  expect(callersOf("isFactorMissing")).toEqual(["hosted/universal-login/code-link.ts", "login/start-session.ts"]);
});
