import type { Messages } from "./messages.ts";

/** German. */
export const de: Messages = {
  direction: "ltr",
  pageTitle: "{page} · {tenant}",
  problemTitle: "Problem: {page}",

  identifierTitle: "Anmelden",
  identifierLead: "und weiter zu {client}",
  identifierLeadPlain: "mit Ihrem Konto bei {tenant}",
  identifierContinue: "Weiter",
  labelEmail: "E-Mail-Adresse",
  labelUsername: "Benutzername",
  labelPhone: "Telefonnummer",
  labelEmailUsername: "E-Mail oder Benutzername",
  labelEmailPhone: "E-Mail oder Telefonnummer",
  labelUsernamePhone: "Benutzername oder Telefonnummer",
  labelAny: "E-Mail, Telefonnummer oder Benutzername",

  passwordTitle: "Passwort eingeben",
  passwordAccount: "Anmeldung als",
  passwordChange: "Ändern",
  passwordChangeName: "Ändern, mit welchem Konto Sie sich anmelden",
  passwordLabel: "Passwort",
  passwordShow: "Passwort anzeigen",
  passwordSubmit: "Anmelden",

  identifierMissing: "Geben Sie an, wer Sie sind, um fortzufahren.",
  passwordMissing: "Geben Sie Ihr Passwort ein, um fortzufahren.",
  wrongCredentials: "Konto und Passwort passen nicht zusammen. Prüfen Sie beides und versuchen Sie es erneut.",
  tooManyAttempts: "Es gab zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es dann erneut.",
  blocked: "Dieses Konto ist gesperrt. Wenden Sie sich an {tenant}, um Hilfe zu bekommen.",
  tryAgain: "Das hat gerade nicht geklappt. Bitte versuchen Sie es noch einmal.",

  consentTitle: "Darf {client} Ihr Konto nutzen?",
  consentAccount: "Sie sind angemeldet als {account}",
  consentScopes: "{client} bittet um die Erlaubnis für Folgendes:",
  consentScopesFor: "{client} bittet um die Erlaubnis, {audience} zu nutzen:",
  consentNothing: "{client} möchte nur wissen, dass Sie es sind.",
  consentAccept: "Erlauben",
  consentDeny: "Nicht erlauben",
  consentTrust: "Erlauben Sie dies nur, wenn Sie {client} vertrauen.",
  scopeOpenid: "Wissen, dass Sie es sind",
  scopeProfile: "Ihren Namen, Ihr Bild und weitere Profilangaben sehen",
  scopeEmail: "Ihre E-Mail-Adresse sehen",
  scopePhone: "Ihre Telefonnummer sehen",
  scopeAddress: "Ihre Anschrift sehen",
  scopeOfflineAccess: "Diesen Zugriff behalten, auch wenn Sie nicht da sind",

  accountTitle: "Konto auswählen",
  accountOther: "Anderes Konto verwenden",

  organizationTitle: "Organisation auswählen",

  invitationTitle: "{organization} beitreten?",
  invitationLead: "{inviter} lädt Sie ein, {organization} beizutreten.",
  invitationAccept: "Einladung annehmen",
  invitationOther: "Diese Einladung ist für {email}. Melden Sie sich mit diesem Konto an, um sie anzunehmen.",

  createAccountTitle: "Konto anlegen",
  createAccountFor: "Konto für",
  createAccountOtherName: "Ändern: mit einem Konto anmelden, das Sie schon haben",
  createAccountPassword: "Passwort wählen",
  createAccountSubmit: "Konto anlegen und beitreten",
  demandLength: "Mindestens {count} Zeichen",
  demandContain: "Kleinbuchstaben, Großbuchstaben und Ziffern",
  demandKinds: "Drei von diesen: Kleinbuchstaben, Großbuchstaben, Ziffern, Sonderzeichen",
  demandIdentical: "Kein Zeichen mehr als zweimal hintereinander",
  passwordTooWeak: "Dieses Passwort wäre zu leicht zu erraten. Es braucht:",
  passwordTooCommon: "Dieses Passwort benutzen zu viele Menschen. Wählen Sie ein anderes.",
  passwordPersonal: "In diesem Passwort steckt Ihr Name oder Ihre Adresse. Wählen Sie ein anderes.",

  logoutTitle: "Abmelden?",
  logoutLead: "Sie werden in diesem Browser bei {tenant} abgemeldet.",
  logoutSubmit: "Abmelden",
  logoutStay: "Um angemeldet zu bleiben, schließen Sie einfach diese Seite.",

  loggedOutTitle: "Sie sind abgemeldet",
  loggedOutLead: "Sie können diese Seite jetzt schließen.",

  errorTitle: "Hier geht es nicht weiter",
  errorLead:
    "Mit dieser Anfrage stimmt etwas nicht. Gehen Sie zurück zur App und beginnen Sie von vorn. Hilft das nicht, geben Sie diese Angaben an deren Support weiter.",
  expiredTitle: "Diese Seite ist abgelaufen",
  expiredLead:
    "Sie war zu lange offen, oder die Anmeldung hat in einem anderen Browser begonnen. Gehen Sie zurück zur App und beginnen Sie von vorn.",
  errorDetails: "Angaben für den Support",
  errorCode: "Code",
  errorDescription: "Was geschehen ist",
  errorRequest: "Anfrage",

  formPostTitle: "Es geht zurück zur App",
  formPostLead: "Falls nach einigen Sekunden nichts passiert, nutzen Sie die Schaltfläche.",
  formPostSubmit: "Weiter",
};
