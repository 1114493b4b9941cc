import * as z from "zod";

/** The name of one of Auth0's prompts. A prompt is a part of the login whose texts can be customized. */
export const promptNameSchema = z
  .enum(
    "login login-id login-password login-passwordless login-email-verification signup signup-id signup-password phone-identifier-enrollment phone-identifier-challenge email-identifier-challenge reset-password custom-form consent customized-consent logout mfa-push mfa-otp mfa-voice mfa-phone mfa-webauthn mfa-sms mfa-email mfa-recovery-code mfa status device-flow email-verification email-otp-challenge organizations invitation common passkeys captcha brute-force-protection async-approval-flow confirmation".split(
      " ",
    ),
  )
  .meta({ id: "PromptName" });

/** The name of one of Auth0's screens. */
export const screenNameSchema = z
  .enum(
    "login login-id login-password login-passwordless-email-code login-passwordless-email-link login-passwordless-sms-otp login-email-verification signup signup-id signup-password phone-identifier-enrollment phone-identifier-challenge email-identifier-challenge reset-password-request reset-password-email reset-password reset-password-success reset-password-error reset-password-mfa-email-challenge reset-password-mfa-otp-challenge reset-password-mfa-phone-challenge reset-password-mfa-push-challenge-push reset-password-mfa-recovery-code-challenge reset-password-mfa-sms-challenge reset-password-mfa-voice-challenge reset-password-mfa-webauthn-platform-challenge reset-password-mfa-webauthn-roaming-challenge custom-form consent consent-tenant-scopes customized-consent logout logout-complete logout-aborted mfa-push-welcome mfa-push-enrollment-qr mfa-push-enrollment-code mfa-push-success mfa-push-challenge-push mfa-push-list mfa-otp-enrollment-qr mfa-otp-enrollment-code mfa-otp-challenge mfa-voice-enrollment mfa-voice-challenge mfa-phone-challenge mfa-phone-enrollment mfa-webauthn-platform-enrollment mfa-webauthn-roaming-enrollment mfa-webauthn-platform-challenge mfa-webauthn-roaming-challenge mfa-webauthn-change-key-nickname mfa-webauthn-enrollment-success mfa-webauthn-error mfa-webauthn-not-available-error mfa-country-codes mfa-sms-enrollment mfa-sms-challenge mfa-sms-list mfa-email-challenge mfa-email-list mfa-recovery-code-enrollment mfa-recovery-code-challenge-new-code mfa-recovery-code-challenge mfa-detect-browser-capabilities mfa-enroll-result mfa-login-options mfa-begin-enroll-options status device-code-activation device-code-activation-allowed device-code-activation-denied device-code-confirmation email-verification-result email-otp-challenge organization-selection organization-picker pre-login-organization-picker accept-invitation redeem-ticket passkey-enrollment passkey-enrollment-local interstitial-captcha brute-force-protection-unblock brute-force-protection-unblock-success brute-force-protection-unblock-failure async-approval-error async-approval-accepted async-approval-denied confirmation async-approval-wrong-user".split(
      " ",
    ),
  )
  .meta({ id: "ScreenName" });

/** The name of a prompt that can have partials. */
export const promptWithPartialsSchema = z
  .enum(
    "login login-id login-password login-passwordless signup signup-id signup-password customized-consent passkeys confirmation".split(" "),
  )
  .meta({ id: "PromptWithPartials" });

/** A language in which texts can be stored. */
export const textLanguageSchema = z
  .enum(
    "am ar ar-EG ar-SA az bg bn bs ca-ES cnr cs cy da de el en en-CA es es-419 es-AR es-MX et eu-ES fa fi fr fr-CA fr-FR gl-ES gu he hi hr hu hy id is it ja ka kk kn ko lt lv mk ml mn mr ms my nb nl nn no pa pl pt pt-BR pt-PT ro ru sk sl so sq sr sv sw ta te th tl tr uk ur vi zgh zh-CN zh-HK zh-MO zh-TW".split(
      " ",
    ),
  )
  .meta({ id: "TextLanguage" });
