import type { Checked } from "./checks/check.ts";

/**
 * Returns the parameters of an authorization request as strings. An empty parameter counts as omitted (RFC 6749 section
 * 3.1).
 */
export function readAuthorizationParameters(parameters: object): Pick<Checked, "sent" | "malformed"> {
  const sent: { [name: string]: string } = {};
  const malformed = new Map<string, string>();
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value !== "string") malformed.set(name, Array.isArray(value) ? "is given more than once" : "must be text");
    else if (value !== "") sent[name] = value;
  }
  return { sent, malformed };
}
