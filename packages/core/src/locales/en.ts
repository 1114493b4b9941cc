/** English, and the list of what there is to say. A placeholder is a name in braces; a missing or unknown one does not compile where it is used. */
export const en = {
  direction: "ltr",
  pageTitle: "{page} · {tenant}",
  problemTitle: "Problem: {page}",

  identifierTitle: "Sign in",
  identifierLead: "to continue to {client}",
  identifierLeadPlain: "with your {tenant} account",
  identifierContinue: "Continue",
  labelEmail: "Email address",
  labelUsername: "Username",
  labelPhone: "Phone number",
  labelEmailUsername: "Email or username",
  labelEmailPhone: "Email or phone number",
  labelUsernamePhone: "Username or phone number",
  labelAny: "Email, phone number or username",

  passwordTitle: "Enter your password",
  passwordAccount: "Signing in as",
  passwordChange: "Change",
  passwordChangeName: "Change the account you sign in with",
  passwordLabel: "Password",
  passwordSubmit: "Sign in",

  identifierMissing: "Tell us who you are to continue.",
  passwordMissing: "Enter your password to continue.",
  wrongCredentials: "That account and password don’t match. Check both and try again.",
  tooManyAttempts: "There were too many attempts. Wait a few minutes, then try again.",
  blocked: "This account has been blocked. Ask the people who run {tenant} for help.",
  tryAgain: "That didn’t work this time. Please try again.",

  consentTitle: "Allow {client} to use your account?",
  consentAccount: "You are signed in as {account}",
  consentScopes: "{client} asks for permission to:",
  consentScopesFor: "{client} asks for permission to use {audience}:",
  consentNothing: "{client} only asks to know that it is you.",
  consentAccept: "Allow",
  consentDeny: "Don’t allow",
  consentTrust: "Allow this only if you trust {client}.",
  scopeOpenid: "Know that it is you",
  scopeProfile: "See your name, picture and other profile details",
  scopeEmail: "See your email address",
  scopePhone: "See your phone number",
  scopeAddress: "See your postal address",
  scopeOfflineAccess: "Keep this access while you are away",

  accountTitle: "Choose an account",
  accountOther: "Use another account",

  organizationTitle: "Choose an organization",

  invitationTitle: "Join {organization}?",
  invitationLead: "{inviter} invites you to join {organization}.",
  invitationAccept: "Accept invitation",
  invitationOther: "This invitation is for {email}. Sign in with that account to accept it.",

  logoutTitle: "Sign out?",
  logoutLead: "You will be signed out of {tenant} in this browser.",
  logoutSubmit: "Sign out",
  logoutStay: "To stay signed in, just close this page.",

  loggedOutTitle: "You are signed out",
  loggedOutLead: "You can close this page now.",

  errorTitle: "We can’t continue",
  errorLead:
    "Something about this request isn’t right. Go back to the app and start again. If that doesn’t help, send these details to its support.",
  expiredTitle: "This page has expired",
  expiredLead: "It stayed open for too long, or the sign-in began in another browser. Go back to the app and start again.",
  errorDetails: "Details for support",
  errorCode: "Code",
  errorDescription: "What happened",
  errorRequest: "Request",

  formPostTitle: "Taking you back to the app",
  formPostLead: "If nothing happens within a few seconds, use the button.",
  formPostSubmit: "Continue",
} as const;
