import { PosternError } from "../../../errors.ts";
import type { Check, Checked } from "./check.ts";

/** Each parameter comes once (RFC 6749 section 3.1), and is text. */
export const checkMalformed: Check = ({ malformed }) => refuse(malformed, [...malformed.keys()]);

/** The same for those that say where a redirect may go. */
export const checkMalformedAddress: Check = ({ malformed }) => refuse(malformed, ["client_id", "redirect_uri"]);

function refuse(malformed: Checked["malformed"], names: readonly string[]): void {
  const name = names.find((candidate) => malformed.has(candidate));
  if (name !== undefined) throw new PosternError("invalid_request", `'${name}' ${malformed.get(name)}`);
}
