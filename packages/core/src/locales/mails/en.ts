/** What mails and text messages say in English, and the list of what there is to say. A placeholder is a name in braces. */
export const en = {
  direction: "ltr",

  codeOrLink: "Or use this link:",
  linkInstead: "If the button does not work, copy this address into your browser:",
  footer: "Sent to {address} by {sender}.",
  help: "Get help",

  verifySubject: "Confirm your email address",
  verifyLead: "Confirm that {address} is your address, so that {sender} knows that this account is yours.",
  verifyButton: "Confirm address",
  verifyNote: "If you have no account with {sender}, ignore this message.",

  welcomeSubject: "Welcome to {sender}",
  welcomeLead: "Your account with {sender} is ready. You sign in with {address}.",

  resetSubject: "Choose a new password",
  resetLead: "Somebody asked for a new password for your account with {sender}.",
  resetButton: "Choose a new password",
  resetNote: "If it was not you, ignore this message: your password stays as it is.",

  loginCodeSubject: "Your code to sign in to {app}",
  loginCodeLead: "Enter this code to sign in to {app}:",
  loginCodeNote: "Give the code to nobody: whoever has it can sign in as you. If you did not want to sign in, ignore this message.",
  loginCodeText: "{code} is your code to sign in to {app}. Give it to nobody.",
  loginLinkSubject: "Sign in to {app}",
  loginLinkLead: "Use this link to sign in to {app}.",
  loginLinkNote: "Give the link to nobody: whoever has it can sign in as you. If you did not want to sign in, ignore this message.",
  loginLinkText: "Sign in to {app} by this link. Give it to nobody.",
  loginButton: "Sign in",

  invitationSubject: "{inviter} invites you to {organization}",
  invitationLead: "{inviter} invites you to join {organization}.",
  invitationButton: "Accept invitation",
  invitationUntil: "The invitation is good until {time}.",
  invitationNote: "If you do not know why you got it, do nothing.",

  passwordChangedSubject: "Your password was changed",
  passwordChangedLead: "The password of your account with {sender} was changed.",
  passwordChangedNote: "If it was not you, choose a new password at once: begin to sign in, and say that you forgot the password.",

  blockedSubject: "Too many wrong passwords for your account",
  blockedLead: "Somebody tried wrong passwords for your account with {sender}. For a few minutes nobody can sign in to it by password.",
  blockedNote: "If it was you, wait a little and try again. If not, nobody got in; a password that you use nowhere else keeps it so.",

  newDeviceSubject: "New sign-in to your account",
  newDeviceLead: "Somebody signed in to your account with {sender} on a device that was not used before.",
  newDeviceNote: "If it was you, there is nothing to do. If not, choose a new password at once.",

  linkCodeSubject: "Your code to link {provider}",
  linkCodeLead: "Enter this code to link {provider} to your account with {sender}:",
  linkCodeNote:
    "After that, {provider} also signs in to your account. If you did not ask for this, ignore this message and give the code to nobody.",

  accountLinkedSubject: "{provider} was linked to your account",
  accountLinkedLead: "{provider} now also signs in to your account with {sender}.",
  accountLinkedNote: "If it was you, there is nothing to do. If not, contact {sender} at once.",

  accountExistsSubject: "You have an account already",
  accountExistsLead: "Somebody tried to sign up with {sender} by this address. There is an account of yours already: sign in instead.",
  accountExistsNote:
    "If you forgot the password, choose a new one where you sign in. If it was not you, ignore this message: nothing has changed.",

  factTime: "Time",
  factDevice: "Device",
  factAddress: "Network address",
} as const;
