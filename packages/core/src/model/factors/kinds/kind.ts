import type { enMails } from "../../../locales/mails/en.ts";
import type { MailTextKey } from "../../../locales/mails/texts.ts";
import type { NamesIn } from "../../../locales/messages.ts";
import type { AuditEventType } from "../../logs/audit-event-types.ts";

/**
 * The audit event for each outcome of a factor. `wrong`: an attempt with an enrolled factor failed. `rejected`: the first
 * code or response of a new factor was wrong. `locked`: the last allowed attempt failed. `throttled`: no attempt was left.
 * `updated`: an administrator changed the factor.
 */
export interface FactorEvents {
  readonly passed: AuditEventType;
  readonly wrong: AuditEventType;
  readonly rejected: AuditEventType;
  readonly locked: AuditEventType;
  readonly throttled: AuditEventType;
  readonly started: AuditEventType;
  readonly enrolled: AuditEventType;
  readonly removed: AuditEventType;
  readonly updated: AuditEventType;
}

/**
 * The uses of a second factor. Every factor satisfies a policy and gives the `acr` of two factors, unless its codes
 * go through a channel that the first factor used (`FirstFactor.channels`).
 */
export interface FactorUses {
  /** Whether a phishing site cannot relay it, so that it gives the `acr` `phr`. */
  readonly resistsPhishing: boolean;
  /**
   * Whether the user may change factors, addresses and linked accounts after it. A code by email does not permit that,
   * because a reader of the mailbox can also reset the password.
   */
  readonly permitsChanges: boolean;
  /** Whether it protects an account without another second factor. */
  readonly protectsAlone: boolean;
  /** Whether the user may skip later factors in the same browser after it. */
  readonly permitsTrust: boolean;
}

/** The names of the texts of mails without placeholders. */
type PlainMailText = { [Key in MailTextKey]: [NamesIn<(typeof enMails)[Key]>] extends [never] ? Key : never }[MailTextKey];

/**
 * A kind of second factor, as data. Its rules are in `identity/factors/kinds.ts`, if users enter codes, and its pages in
 * `login/factors/kinds.ts`.
 */
export interface FactorKind {
  /** The value of `factors.type` and of `users.enrolled_factors`. */
  readonly type: string;
  /** The name in the `mfa_requirements` of a token error, in Actions and in the MFA API. */
  readonly api: string;
  /** The name in `/api/v2/guardian/factors`. Omitted for a passkey: a tenant enables passkeys for each connection. */
  readonly tenant?: string;
  /**
   * The requirement in addition to the user: a sender of the host application, or a host name with WebAuthn. Omitted: none,
   * so it can always be used.
   */
  readonly needs?: "sms" | "mail" | "webauthn";
  /** The `authenticator_type` in the MFA API. Omitted for a factor that requires a page. */
  readonly authenticator?: "otp" | "oob" | "recovery-code";
  /** The `auth_method` in Auth0's former API for enrollments. */
  readonly authMethod?: "authenticator" | "sms" | "webauthn-platform" | "webauthn-roaming";
  /** The text that names it in mails and messages about a change. */
  readonly mailName: PlainMailText;
  /** The values of the claim `amr` (RFC 8176). Auth0's value `mfa` is added once. */
  readonly amr: readonly string[];
  readonly uses: FactorUses;
  readonly events: FactorEvents;
}

/** The events of a factor with codes. */
export const codeEvents = {
  passed: "gd_auth_succeed",
  wrong: "gd_auth_failed",
  rejected: "gd_auth_failed",
  locked: "gd_otp_rate_limit_exceed",
  throttled: "gd_auth_failed",
  started: "gd_start_enroll",
  enrolled: "gd_enrollment_complete",
  removed: "gd_unenroll",
  updated: "gd_update_device_account",
} as const satisfies FactorEvents;

/** The parts of every factor with a WebAuthn credential. */
export const webauthnKind = {
  needs: "webauthn",
  amr: ["pop", "user"],
  events: { ...codeEvents, wrong: "gd_webauthn_challenge_failed", rejected: "gd_webauthn_enrollment_failed" },
} as const satisfies Pick<FactorKind, "needs" | "amr" | "events">;
