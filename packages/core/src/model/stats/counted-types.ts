import type { JsonObject } from "../../store/value.ts";
import type { AuditEventType } from "../logs/audit-event-types.ts";

/** The counts of a day. */
export interface DayCounts {
  readonly logins: number;
  readonly signups: number;
  readonly leaked_passwords: number;
  readonly failures: number;
  readonly failures_by_type: JsonObject;
}

// A grant of the token endpoint that signs a user in also writes the event of the sign-in, so only the latter counts.
const logins: readonly AuditEventType[] = ["s"];
const signups: readonly AuditEventType[] = ["ss"];
const leaks: readonly AuditEventType[] = ["pwd_leak", "signup_pwd_leak", "reset_pwd_leak"];
// `limit_wc` follows the event of the wrong password that caused it, and `limit_mu` is also a limit on messages.
const failures: readonly AuditEventType[] = [
  "f",
  "fp",
  "fu",
  "fc",
  "fens",
  "gd_auth_failed",
  "gd_recovery_failed",
  "passkey_challenge_failed",
  "limit_sul",
  "pwd_leak",
];

const sets = {
  logins: new Set<string>(logins),
  signups: new Set<string>(signups),
  leaks: new Set<string>(leaks),
  failures: new Set<string>(failures),
};

/** Whether an event is a sign-in with credentials. Silent sign-ins and exchanges of codes do not count. */
export const isSignIn = (type: string): boolean => sets.logins.has(type);

/** Whether an event is the creation of an account by its user. */
export const isSignUp = (type: string): boolean => sets.signups.has(type);

/** Whether an event is the detection of a password that is known from a breach. */
export const isLeakedPassword = (type: string): boolean => sets.leaks.has(type);

/** Whether an event is a sign-in that failed. */
export const isFailedSignIn = (type: string): boolean => sets.failures.has(type);
