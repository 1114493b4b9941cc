import { PosternError } from "../../errors.ts";
import { userIsBlocked, wrongCode, wrongPassword } from "../../model/sdk-texts.ts";
import type { CodeAddress } from "./code-address.ts";
import type { CodeRefusal } from "./code-login.ts";
import type { PasswordRefusal } from "./password-login.ts";

/** Throws the error that API callers receive for a rejected password (RFC 6749 section 5.2). */
export function throwPasswordRefusal(refusal: PasswordRefusal): never {
  switch (refusal.kind) {
    case "throttled":
      throw new PosternError("TOO_MANY_FAILED_LOGINS", "Too many failed logins: try again in a few minutes, or use another method.");
    case "blocked":
      throw new PosternError("access_denied", userIsBlocked);
    case "refused":
      throw refusal.error;
    case "wrong-credentials":
    case "repeated":
      throw new PosternError("INVALID_CREDENTIALS", wrongPassword);
  }
}

/** Throws the error that API callers receive for a rejected one-time code (RFC 6749 section 5.2). */
export function throwCodeRefusal(refusal: CodeRefusal, { channel }: CodeAddress): never {
  switch (refusal.kind) {
    case "refused":
      throw refusal.error;
    case "blocked":
      throw new PosternError("access_denied", userIsBlocked);
    case "no-account":
      throw new PosternError("access_denied", refusal.message);
    case "wrong-code":
    case "repeated":
      throw new PosternError("invalid_grant", wrongCode[channel]);
  }
}
