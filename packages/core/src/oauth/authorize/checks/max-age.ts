import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/** Reads the maximum number of seconds since the user authenticated (OpenID Connect Core section 3.1.2.1). */
export const checkMaxAge: AuthorizationCheck = (checked) => {
  const { max_age: sent } = checked.sent;
  if (sent === undefined || sent === "") return;
  if (!/^\d{1,9}$/.test(sent)) throw new PosternError("invalid_request", "'max_age' must be a number of seconds");
  checked.request.max_age = Number(sent);
};
