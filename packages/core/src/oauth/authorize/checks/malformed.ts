import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck, Checked } from "./check.ts";

/** Requires that each parameter is sent once (RFC 6749 section 3.1) and is a string. */
export const checkMalformed: AuthorizationCheck = ({ malformed }) => refuse(malformed, [...malformed.keys()]);

/** Applies the same check only to the parameters that select the redirect URI. */
export const checkMalformedAddress: AuthorizationCheck = ({ malformed }) => refuse(malformed, ["client_id", "redirect_uri"]);

function refuse(malformed: Checked["malformed"], names: readonly string[]): void {
  const name = names.find((candidate) => malformed.has(candidate));
  // Several resources have their own error (RFC 8707 section 2).
  const code = name === "resource" ? "invalid_target" : "invalid_request";
  if (name !== undefined) throw new PosternError(code, `'${name}' ${malformed.get(name)}`);
}
