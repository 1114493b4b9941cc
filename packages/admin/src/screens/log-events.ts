import type { StateLevel } from "../components/values.tsx";
import { eventTexts } from "../console-texts.ts";

/** The codes of failed sign-ins. */
export const failureTypes: readonly string[] = ["f", "fp", "fu", "fc", "fs", "gd_auth_failed", "limit_wc", "limit_mu", "pwd_leak"];

/** The codes of events by group. A group without codes has all events. */
export const eventKinds: { readonly [kind: string]: readonly string[] } = {
  all: [],
  failures: failureTypes,
  "sign-ins": ["s", "ssa", "slo", "f", "fp", "fu", "fc", "w"],
  "sign-ups": ["ss", "fs", "si", "sv"],
  tokens: ["seacft", "feacft", "sertft", "fertft", "ferrt", "seccft", "feccft", "sepft", "fepft"],
  factors: ["gd_start_auth", "gd_auth_succeed", "gd_auth_failed", "gd_enrollment_complete", "gd_unenroll", "passkey_challenge_failed"],
  users: ["sce", "scp", "scpr", "scu", "scpn", "fcp", "fcpr", "sdu"],
  admin: ["sapi", "fapi", "mgmt_api_read"],
};

/** Returns what the code of an event means; the code itself if the console does not know it. */
export function eventTitle(type: string): string {
  return (Object.hasOwn(eventTexts, type) ? eventTexts[type] : undefined) ?? type;
}

/** Returns how good an event is. Codes of failures begin with `f`, or say so. */
export function eventLevel(type: string): StateLevel & ("good" | "warn" | "bad") {
  if (/^f|failed|failure|exceed|^pwd_leak|^ferrt/.test(type)) return "bad";
  return /^(?:w|limit|api_limit|wum|wn|depnote|ublkdu)/.test(type) ? "warn" : "good";
}
