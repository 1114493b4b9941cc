/**
 * The English texts for mails and text messages. They define which texts every language must have. A placeholder is a
 * name in braces.
 */
export const enMails = {
  direction: "ltr",

  codeOrLink: "Or use this link:",
  linkInstead: "If the button doesn’t work, copy this address into your browser:",
  footer: "Sent to {address} by {sender}.",
  help: "Get help",

  verifySubject: "Confirm your email address",
  verifyLead: "Confirm that {address} is the email address of your account with {sender}.",
  verifyButton: "Confirm address",
  verifyNote: "If you don’t have an account with {sender}, ignore this message.",

  welcomeSubject: "Welcome to {sender}",
  welcomeLead: "Your account with {sender} is ready. Sign in with {address}.",

  testSubject: "Test email from {sender}",
  testLead: "You sent this email to test the email settings of {sender}, at {time}.",

  resetSubject: "Choose a new password",
  resetLead: "We received a request to set a new password for your account with {sender}.",
  resetButton: "Choose a new password",
  resetNote: "If you didn’t request this, ignore this message. Your password stays the same.",

  enrollSubject: "Set up two-step verification for your account",
  enrollLead: "Add another way to confirm that it’s you when you sign in to {sender}.",
  enrollButton: "Set up",
  enrollNote: "The link is valid for five days and can be used once. If you don’t have an account with {sender}, ignore this message.",

  loginCodeSubject: "Your code to sign in to {app}",
  loginCodeLead: "Enter this code to sign in to {app}:",
  loginCodeNote: "Don’t share this code. Anyone who has it can sign in as you. If you didn’t try to sign in, ignore this message.",
  loginCodeText: "{code} is your code to sign in to {app}. Don’t share it.",
  loginLinkSubject: "Sign in to {app}",
  loginLinkLead: "Use this link to sign in to {app}.",
  loginLinkNote: "Don’t share this link. Anyone who has it can sign in as you. If you didn’t try to sign in, ignore this message.",
  loginLinkText: "Sign in to {app} with this link. Don’t share it.",
  loginButton: "Sign in",

  invitationSubject: "{inviter} invited you to {organization}",
  invitationLead: "{inviter} invited you to join {organization}.",
  invitationButton: "Accept invitation",
  invitationUntil: "The invitation is valid until {time}.",
  invitationNote: "If you didn’t expect this invitation, ignore this message.",

  passwordChangedSubject: "Your password was changed",
  passwordChangedLead: "The password of your account with {sender} was changed.",
  passwordChangedNote: "If this wasn’t you, choose a new password right away: start signing in and select “Forgot your password?”.",

  blockedSubject: "Too many wrong passwords for your account",
  blockedLead:
    "There were too many attempts to sign in to your account with {sender} with a wrong password. Signing in with a password is blocked for a few minutes.",
  blockedNote:
    "If this was you, wait a few minutes and try again. If not, the attempts failed. A password that you don’t use anywhere else keeps your account safe.",

  newDeviceSubject: "New sign-in to your account",
  newDeviceLead: "There was a sign-in to your account with {sender} from a new device.",
  newDeviceNote: "If this was you, you don’t need to do anything. If not, choose a new password right away.",

  factorCodeSubject: "Your verification code for {app}",
  factorCodeLead: "Enter this code to finish signing in to {app}:",
  factorCodeNote: "Don’t share this code. If you didn’t try to sign in, someone knows your password: choose a new one.",
  factorCodeText: "{code} is your verification code for {app}. Don’t share it.",
  factorCodeSpoken: "Your verification code for {app} is {code}. Once more: {code}. Don’t share it.",
  factorTotp: "authenticator app",
  factorPhone: "phone",
  factorEmail: "email address",
  factorRecoveryCode: "recovery code",
  factorSecurityKey: "security key",
  factorDevice: "device",
  factorPasskey: "passkey",
  factorAddedSubject: "A sign-in method was added to your account",
  factorAddedLead: "Two-step verification for your account with {sender} now has another method: {factor}.",
  factorRemovedSubject: "A sign-in method was removed from your account",
  factorRemovedLead: "Two-step verification for your account with {sender} no longer has this method: {factor}.",
  factorUpdatedSubject: "A sign-in method of your account was changed",
  factorUpdatedLead: "This method of two-step verification for your account with {sender} was changed: {factor}.",
  factorChangedNote: "If this was you, you don’t need to do anything. If not, choose a new password right away and contact {sender}.",
  factorReplacedSubject: "A sign-in method of your account was replaced",
  factorReplacedLead:
    "This method of two-step verification for your account with {sender} was replaced: {factor}. The former one no longer works.",
  factorUndoButton: "This wasn’t me",
  factorUndoNote: "The button signs your account out everywhere, and pauses changes of sign-in methods for 24 hours. It works for 7 days.",

  factorAdministratorNote: "An administrator made this change. If you didn’t expect it, contact {sender}.",
  factorLockedSubject: "Too many wrong codes for your account",
  factorLockedLead:
    "Someone entered your password for {sender} and then too many wrong codes. This method of two-step verification is locked for a few minutes.",
  factorLockedNote: "If this was you, wait a few minutes or use another method. If not, choose a new password right away.",

  deletionSubject: "Your account will be deleted",
  deletionReminderSubject: "Your account will be deleted soon",
  deletionLead: "Your account with {sender} will be deleted on {time}, because you asked for it.",
  deletionKeep: "To keep the account, sign in before then.",
  deletionNote: "If this wasn’t you, sign in now, keep the account and choose a new password.",

  linkCodeSubject: "Your code to link {provider}",
  linkCodeLead: "Enter this code to link {provider} to your account with {sender}:",
  linkCodeNote: "You can then also sign in with {provider}. If you didn’t request this, ignore this message and don’t share the code.",

  accountLinkedSubject: "{provider} was linked to your account",
  accountLinkedLead: "You can now also sign in to your account with {sender} using {provider}.",
  accountLinkedNote: "If this was you, you don’t need to do anything. If not, contact {sender} right away.",

  accountExistsSubject: "You already have an account",
  accountExistsLead: "There was an attempt to sign up with {sender} using this address. You already have an account. Sign in instead.",
  accountExistsNote:
    "If you forgot your password, you can choose a new one when you sign in. If this wasn’t you, ignore this message. Nothing has changed.",

  addressCodeSubject: "Your code to confirm this address for {sender}",
  addressCodeLead: "Enter this code to use this address for your account with {sender}:",
  addressCodeNote: "Don’t share this code. If you didn’t request it, ignore this message.",
  addressCodeText: "{code} is your code to use this number with {sender}. Don’t share it.",
  addressInUseSubject: "This address is in use already",
  addressInUseLead: "Another account with {sender} was to get this address. It belongs to your account, so nothing has changed.",
  addressInUseNote: "If this was you, sign in to your account with this address instead. If not, ignore this message.",
  emailChangedSubject: "Your email address was changed",
  emailChangedLead: "The email address of your account with {sender} was changed.",
  phoneChangedSubject: "Your phone number was changed",
  phoneChangedLead: "The phone number of your account with {sender} was changed.",
  usernameChangedSubject: "Your username was changed",
  usernameChangedLead: "The username of your account with {sender} was changed.",
  accountAddedSubject: "An account was linked to yours",
  accountAddedLead: "Another account can now be used to sign in to your account with {sender}.",
  accountUnlinkedSubject: "An account was unlinked from yours",
  accountUnlinkedLead: "A linked account can no longer be used to sign in to your account with {sender}.",
  accountChangedNote: "If this was you, you don’t need to do anything. If not, use the button right away and contact {sender}.",
  factTime: "Time",
  factDevice: "Device",
  factAddress: "IP address",
} as const;
