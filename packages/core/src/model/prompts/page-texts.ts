import type { MessageKey } from "../../locales/messages.ts";

/** The texts of one of Auth0's screens that Postern's pages use. */
export interface ScreenTexts {
  readonly prompt: string;
  readonly screen: string;
  /** The pages that display the texts. */
  readonly pages: readonly string[];
  /** The keys of the built-in messages that each text replaces, by Auth0's key for the text. */
  readonly texts: { readonly [key: string]: readonly MessageKey[] };
}

const providerTexts = { separatorText: ["providerOr"], federatedConnectionButtonText: ["providerContinue"] } as const;

const identifierTexts = {
  ...providerTexts,
  emailPlaceholder: ["labelEmail"],
  phonePlaceholder: ["labelPhone"],
  usernameOnlyPlaceholder: ["labelUsername"],
  usernamePlaceholder: ["labelEmailUsername"],
  usernameOrEmailPlaceholder: ["labelEmailUsername"],
  phoneOrEmailPlaceholder: ["labelEmailPhone"],
  phoneOrUsernamePlaceholder: ["labelUsernamePhone"],
  phoneOrUsernameOrEmailPlaceholder: ["labelAny"],
  "no-email": ["missingEmail"],
  "no-username": ["missingUsername"],
  pageTitle: ["pageTitle"],
  title: ["identifierTitle"],
  description: ["identifierLead", "identifierLeadPlain"],
  buttonText: ["identifierContinue"],
  signupActionText: ["identifierNoAccount"],
  signupActionLinkText: ["identifierSignUp"],
  invitationDescription: ["invitationLead"],
} as const;

const passwordTexts = {
  passwordPlaceholder: ["passwordLabel"],
  showPasswordText: ["passwordShow"],
  buttonText: ["passwordSubmit"],
  forgotPasswordText: ["passwordForgot"],
  // The accessible name begins with the visible text (WCAG 2.2, 2.5.3).
  editEmailText: ["passwordChange", "passwordChangeName"],
  invitationDescription: ["invitationLead"],
  "no-password": ["passwordMissing"],
  "wrong-credentials": ["wrongCredentials", "wrongCredentialsOrReset"],
  "wrong-email-credentials": ["wrongCredentials", "wrongCredentialsOrReset"],
  "same-user-login": ["tooManyAttempts", "tooManyAttemptsOrReset"],
  "user-blocked": ["tooManyAttempts", "tooManyAttemptsOrReset"],
} as const;

const newPasswordTexts = {
  showPasswordText: ["passwordShow"],
  "no-password": ["passwordMissing"],
  "password-too-weak": ["passwordTooWeak"],
  "password-policy-not-conformant": ["passwordTooWeak"],
  "password-too-common": ["passwordTooCommon"],
  "password-contains-user-information": ["passwordPersonal"],
  "password-previously-used": ["passwordFormer"],
  "password-breached": ["passwordLeaked"],
} as const;

const consentMessages = ["consentScopes", "consentScopesFor", "consentAppScopes", "consentAppScopesFor"] as const;

const createAccountTexts = {
  ...newPasswordTexts,
  pageTitle: ["pageTitle"],
  title: ["createAccountTitle"],
  passwordPlaceholder: ["createAccountPassword"],
  buttonText: ["createAccountSubmit"],
  invitationDescription: ["invitationLead"],
} as const;

const signUpTexts = {
  ...newPasswordTexts,
  ...providerTexts,
  emailPlaceholder: ["labelEmail"],
  phonePlaceholder: ["labelPhone"],
  usernamePlaceholder: ["labelUsername"],
  "no-email": ["missingEmail"],
  "no-username": ["missingUsername"],
  pageTitle: ["pageTitle"],
  title: ["signUpTitle"],
  passwordPlaceholder: ["createAccountPassword"],
  buttonText: ["signUpSubmit"],
  loginActionText: ["signUpHave"],
  loginActionLinkText: ["signUpSignIn"],
  "email-in-use": ["accountTaken"],
  "invalid-email-format": ["emailMalformed"],
  "invalid-username": ["usernameMalformed"],
  "username-taken": ["usernameTaken"],
} as const;

/** The texts of a page on which the user enters the code of a factor. Auth0 has them on a screen for each factor. */
const factorCodeTexts = {
  buttonText: ["factorSubmit"],
  pickAuthenticatorText: ["factorOthers"],
  "invalid-code": ["factorCodeWrong"],
  "too-many-failures": ["factorTooManyAttempts", "factorLocked"],
} as const;

const sentFactorCodeTexts = {
  ...factorCodeTexts,
  placeholder: ["factorCodeLabel"],
  rememberMeText: ["factorRemember"],
  resendActionText: ["codeResend"],
  "too-many-sms": ["codesTooMany"],
} as const;

/** The texts of a page on which the user confirms a new factor with its first code. */
const newFactorTexts = {
  buttonText: ["factorSubmit"],
  placeholder: ["factorCodeLabel"],
  pickAuthenticatorText: ["addFactorBack"],
  "invalid-code": ["factorCodeWrong"],
  "too-many-failures": ["factorTooManyAttempts", "factorLocked"],
} as const;

/**
 * Every text of Auth0's prompts that pages use, with the built-in messages that it replaces. If two texts replace the
 * same message of a page, the later text is used. Texts that are not listed are stored for compatibility with Auth0.
 */
export const pageTexts: readonly ScreenTexts[] = [
  { prompt: "login", screen: "login", pages: ["identifier"], texts: identifierTexts },
  { prompt: "login", screen: "login", pages: ["password"], texts: passwordTexts },
  { prompt: "login-id", screen: "login-id", pages: ["identifier"], texts: identifierTexts },
  {
    prompt: "login-password",
    screen: "login-password",
    pages: ["password"],
    texts: { ...passwordTexts, pageTitle: ["pageTitle"], title: ["passwordTitle"] },
  },
  {
    prompt: "login-passwordless",
    screen: "login-passwordless-email-code",
    pages: ["code"],
    texts: {
      pageTitle: ["pageTitle"],
      title: ["codeTitleEmail"],
      description: ["codeLeadEmail"],
      placeholder: ["codeLabel"],
      buttonText: ["codeSubmit"],
      resendActionText: ["codeResend"],
    },
  },
  {
    prompt: "login-passwordless",
    screen: "login-passwordless-sms-otp",
    pages: ["code"],
    texts: { title: ["codeTitleSms"], description: ["codeLeadSms"] },
  },
  { prompt: "signup", screen: "signup", pages: ["sign-up"], texts: signUpTexts },
  { prompt: "signup", screen: "signup", pages: ["create-account"], texts: createAccountTexts },
  { prompt: "signup-password", screen: "signup-password", pages: ["sign-up"], texts: signUpTexts },
  { prompt: "signup-password", screen: "signup-password", pages: ["create-account"], texts: createAccountTexts },
  {
    prompt: "reset-password",
    screen: "reset-password-request",
    pages: ["reset-password", "link-request"],
    texts: {
      pageTitle: ["pageTitle"],
      title: ["resetTitle"],
      descriptionEmail: ["resetLead", "linkRequestLead"],
      buttonText: ["resetSubmit", "linkRequestSubmit"],
      backToLoginLinkText: ["resetBack"],
    },
  },
  {
    prompt: "reset-password",
    screen: "reset-password",
    pages: ["link-password", "new-password"],
    texts: {
      ...newPasswordTexts,
      pageTitle: ["pageTitle"],
      title: ["newPasswordTitle"],
      passwordPlaceholder: ["newPasswordLabel"],
      buttonText: ["linkResetSubmit", "newPasswordSubmit"],
    },
  },
  {
    prompt: "reset-password",
    screen: "reset-password-success",
    pages: ["link-result"],
    texts: { eventTitle: ["linkChangedTitle"], description: ["linkChangedLead"] },
  },
  {
    prompt: "email-verification",
    screen: "email-verification-result",
    pages: ["link-result"],
    texts: { verifiedTitle: ["linkVerifiedTitle"], verifiedDescription: ["linkVerifiedLead"] },
  },
  {
    prompt: "mfa",
    screen: "mfa-login-options",
    pages: ["factor"],
    texts: {
      title: ["factorOthers"],
      authenticatorNamesOTP: ["factorUseTotp"],
      authenticatorNamesSMS: ["factorUsePhone"],
      authenticatorNamesEmail: ["factorUseEmail"],
      authenticatorNamesRecoveryCode: ["factorUseRecovery"],
      authenticatorNamesWebauthnRoaming: ["factorUseKey"],
    },
  },
  {
    prompt: "mfa",
    screen: "mfa-begin-enroll-options",
    pages: ["add-factor"],
    texts: {
      pageTitle: ["pageTitle"],
      title: ["addFactorTitle"],
      description: ["addFactorLead"],
      authenticatorNamesOTP: ["addFactorTotp"],
      authenticatorNamesSMS: ["addFactorPhone"],
      authenticatorNamesWebauthnRoaming: ["securityKey"],
    },
  },
  {
    prompt: "mfa",
    screen: "mfa-enroll-result",
    pages: ["link-result"],
    texts: { enrolledTitle: ["enrolledTitle"], enrolledDescription: ["enrolledLead"] },
  },
  {
    prompt: "mfa-otp",
    screen: "mfa-otp-enrollment-qr",
    pages: ["add-factor"],
    texts: { ...newFactorTexts, title: ["addTotpTitle"], description: ["addTotpLead"], codeEnrollmentText: ["addTotpManual"] },
  },
  { prompt: "mfa-otp", screen: "mfa-otp-enrollment-code", pages: ["add-factor"], texts: { copyCodeButtonText: ["addTotpCopy"] } },
  {
    prompt: "mfa-otp",
    screen: "mfa-otp-challenge",
    pages: ["factor"],
    texts: {
      ...factorCodeTexts,
      title: ["factorTitleTotp"],
      description: ["factorLeadTotp"],
      placeholder: ["factorCodeLabel"],
      rememberMeText: ["factorRemember"],
    },
  },
  {
    prompt: "mfa-sms",
    screen: "mfa-sms-enrollment",
    pages: ["add-factor"],
    texts: {
      title: ["addPhoneTitle"],
      description: ["addPhoneLead"],
      buttonText: ["factorSend"],
      pickAuthenticatorText: ["addFactorBack"],
      placeholder: ["addPhoneLabel"],
      "invalid-phone": ["phoneMalformed"],
    },
  },
  {
    prompt: "mfa-sms",
    screen: "mfa-sms-challenge",
    pages: ["factor"],
    texts: { ...sentFactorCodeTexts, title: ["factorTitlePhone"], description: ["factorLeadPhone"] },
  },
  {
    prompt: "mfa-email",
    screen: "mfa-email-challenge",
    pages: ["factor"],
    texts: {
      ...factorCodeTexts,
      title: ["factorTitleEmail"],
      description: ["factorLeadEmail"],
      placeholder: ["factorCodeLabel"],
      resendActionText: ["codeResend"],
    },
  },
  {
    prompt: "mfa-recovery-code",
    screen: "mfa-recovery-code-challenge",
    pages: ["factor"],
    texts: {
      ...factorCodeTexts,
      title: ["factorTitleRecovery"],
      description: ["factorLeadRecovery"],
      placeholder: ["factorRecoveryLabel"],
    },
  },
  {
    prompt: "mfa-recovery-code",
    screen: "mfa-recovery-code-enrollment",
    pages: ["recovery-code"],
    texts: {
      pageTitle: ["pageTitle"],
      title: ["recoveryTitle"],
      description: ["recoveryLead"],
      buttonText: ["recoveryDone"],
      copyCodeButtonText: ["recoveryCopy"],
    },
  },
  {
    prompt: "mfa-recovery-code",
    screen: "mfa-recovery-code-challenge-new-code",
    pages: ["recovery-code"],
    texts: { title: ["recoverySpentTitle"], description: ["recoverySpentLead"] },
  },
  {
    prompt: "invitation",
    screen: "accept-invitation",
    pages: ["invitation"],
    texts: { pageTitle: ["pageTitle"], title: ["invitationTitle"], description: ["invitationLead"], buttonText: ["invitationAccept"] },
  },
  {
    prompt: "organizations",
    screen: "organization-picker",
    pages: ["select-organization"],
    texts: { pageTitle: ["pageTitle"], title: ["organizationTitle"] },
  },
  {
    prompt: "consent",
    screen: "consent",
    pages: ["consent"],
    texts: {
      pageTitle: ["pageTitle"],
      title: ["consentTitle", "consentAppTitle"],
      messageMultipleTenants: consentMessages,
      messageSingleTenant: consentMessages,
      acceptButtonText: ["consentAccept"],
      declineButtonText: ["consentDeny"],
    },
  },
  {
    prompt: "logout",
    screen: "logout",
    pages: ["confirm-logout"],
    texts: {
      pageTitle: ["pageTitle"],
      title: ["logoutTitle"],
      description: ["logoutLead"],
      acceptButtonText: ["logoutSubmit"],
      declineButtonText: ["logoutStayLink"],
    },
  },
];
