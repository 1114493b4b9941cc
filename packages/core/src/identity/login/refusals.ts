import { PosternError } from "../../errors.ts";
import type { CodeAddress } from "./code-address.ts";
import type { CodeRefusal } from "./code-login.ts";
import type { PasswordRefusal } from "./password-login.ts";

/** Auth0's browser SDK signs out locally on exactly this text. */
const userIsBlocked = "user is blocked";

/** Throws the error that API callers receive for a refused password (spec section 7). */
export function throwPasswordRefusal(refusal: PasswordRefusal): never {
  switch (refusal.kind) {
    case "throttled":
      throw new PosternError("TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in some minutes, or sign in another way.");
    case "blocked":
      throw new PosternError("access_denied", userIsBlocked);
    case "refused":
      throw refusal.error;
    case "wrong-credentials":
    case "repeated":
      throw new PosternError("INVALID_CREDENTIALS", "Wrong email or password.");
  }
}

/** Throws the error that API callers receive for a refused one-time code (spec sections 4.3 and 7). */
export function throwCodeRefusal(refusal: CodeRefusal, { channel }: CodeAddress): never {
  switch (refusal.kind) {
    case "refused":
      throw refusal.error;
    case "blocked":
      throw new PosternError("access_denied", userIsBlocked);
    case "no-account":
      throw new PosternError("access_denied", refusal.message);
    case "wrong-code":
      throw new PosternError("invalid_grant", `Wrong ${channel === "email" ? "email" : "phone number"} or verification code.`);
  }
}
