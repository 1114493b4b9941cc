import type { Messages } from "../messages.ts";

/** German that says "du". */
export const deFamiliar: Partial<Messages> = {
  againTitle: "Bestätige, wer du bist",
  identifierLeadPlain: "mit deinem Konto bei {tenant}",

  passwordChangeName: "Ändern, mit welchem Konto du dich anmeldest",

  addressInvalid: "An diese Adresse lässt sich kein Code senden. Prüfe, wie du sie eingegeben hast.",

  emailMalformed: "Das ist keine E-Mail-Adresse. Prüfe, wie du sie eingegeben hast.",
  usernameMalformed: "Das kann hier kein Benutzername sein. Wähle einen anderen.",
  usernameTaken: "Diesen Benutzernamen gibt es schon. Wähle einen anderen.",
  phoneMalformed: "Gib deine Telefonnummer mit + und der Ländervorwahl ein.",
  accountTaken: "Mit diesen Angaben lässt sich kein Konto erstellen. Melde dich an, wenn du eines hast.",

  codeTitleEmail: "Sieh in dein Postfach",
  codeTitleSms: "Sieh in deine Nachrichten",
  codeLeadEmail: "Gib den Code ein, den wir an {address} gesendet haben.",
  codeLeadSms: "Gib den Code ein, den wir per SMS an {address} gesendet haben.",
  codeLeadReset: "Wenn es ein Konto für {address} gibt, haben wir einen Code dorthin gesendet. Gib ihn hier ein.",
  codeLeadAccount: "Wenn es dieses Konto gibt, haben wir einen Code an seine E-Mail-Adresse gesendet. Gib ihn hier ein.",
  codeMissing: "Gib den Code ein, den wir dir gesendet haben.",
  codeWrong: "Dieser Code stimmt nicht oder gilt nicht mehr. Prüfe ihn, oder lass dir einen neuen senden.",
  codesTooMany: "Es wurden zu viele Codes gesendet. Nutze den letzten, oder versuch es in 10 Minuten erneut.",

  resetLead: "Wir senden dir einen Code und einen Link, um ein neues festzulegen.",
  newPasswordNote: "Überall sonst wirst du abgemeldet.",

  identifierMissing: "Gib deine E-Mail-Adresse, deinen Benutzernamen oder deine Telefonnummer ein.",
  missingEmail: "Gib deine E-Mail-Adresse ein.",
  missingUsername: "Gib deinen Benutzernamen ein.",
  missingPhone: "Gib deine Telefonnummer ein.",
  missingEmailUsername: "Gib deine E-Mail-Adresse oder deinen Benutzernamen ein.",
  missingEmailPhone: "Gib deine E-Mail-Adresse oder deine Telefonnummer ein.",
  missingUsernamePhone: "Gib deinen Benutzernamen oder deine Telefonnummer ein.",
  passwordMissing: "Gib dein Passwort ein.",
  wrongCredentials: "E-Mail-Adresse oder Passwort ist falsch. Versuch es noch einmal.",
  tooManyAttempts: "Zu viele Versuche. Versuch es in 5 Minuten noch einmal.",
  wrongCredentialsOrReset: "E-Mail-Adresse oder Passwort ist falsch. Versuch es noch einmal, oder setz dein Passwort zurück.",
  tooManyAttemptsOrReset: "Zu viele Versuche. Versuch es in 5 Minuten noch einmal, oder setz dein Passwort zurück.",
  blocked: "Dieses Konto ist gesperrt. Wende dich an {tenant}, um Hilfe zu bekommen.",

  consentTitle: "Darf {client} dein Konto nutzen?",
  consentAccount: "Du bist angemeldet als {account}",
  consentNothing: "{client} möchte nur wissen, dass du es bist.",
  consentNotYou: "Nicht du?",
  consentNotYouName: "Nicht du? Anderes Konto verwenden",
  consentTrust: "Danach kehrst du zurück zu {destination}. Erlaube dies nur, wenn du {client} vertraust.",
  scopeOpenid: "Wissen, dass du es bist",
  scopeProfile: "Deinen Namen, dein Bild und weitere Profilangaben sehen",
  scopeEmail: "Deine E-Mail-Adresse sehen",
  scopePhone: "Deine Telefonnummer sehen",
  scopeAddress: "Deine Anschrift sehen",
  scopeOfflineAccess: "Diesen Zugriff behalten, auch wenn du nicht da bist",

  organizationNone: "Keine Organisation heißt so. Prüfe die Schreibweise.",

  invitationLead: "{inviter} lädt dich ein, {organization} beizutreten.",
  invitationOther: "Diese Einladung ist für {email}. Melde dich mit diesem Konto an, um sie anzunehmen.",

  createAccountOtherName: "Ändern: mit einem Konto anmelden, das du schon hast",
  passwordTooCommon: "Dieses Passwort benutzen zu viele Menschen. Wähle ein anderes.",
  passwordPersonal: "In diesem Passwort steckt dein Name oder deine Adresse. Wähle ein anderes.",
  passwordLeaked: "Dieses Passwort ist aus einem Datenleck eines anderen Dienstes bekannt. Wähle eines, das du nirgends sonst verwendest.",

  linkConfirmLead: "Dein Konto bei {tenant} hat diese Adresse. Bestätige, dass es deine ist.",
  linkAskTitle: "Hast du dieses Konto angelegt?",
  linkAskLead: "Bei {tenant} gibt es ein Konto mit deiner Adresse.",
  linkAskNote:
    "Gehört es nicht dir, hat es jemand anderes mit deiner Adresse angelegt. Sag es uns, dann kann diese Person es nicht mehr verwenden: Das Passwort gilt nicht mehr, und sie wird abgemeldet.",
  linkVerifiedTitle: "Deine Adresse ist bestätigt",
  linkVerifiedLead: "Du kannst in der App weitermachen.",
  linkDisownedLead: "An diesem Konto kann sich niemand mehr anmelden. Möchtest du es selbst verwenden, leg ein Passwort fest.",
  passwordFormer: "Dieses Passwort hast du schon einmal verwendet. Wähle ein anderes.",
  linkChangedTitle: "Dein Passwort ist geändert",
  linkChangedLead: "Du wurdest überall abgemeldet. Melde dich mit deinem neuen Passwort an.",
  linkUsedLead:
    "Mit ihm wurde ein Passwort gesetzt. Wenn du das warst, öffne die App und melde dich an. Fordere sonst einen neuen Link an.",
  linkSentTitle: "Sieh in deine E-Mails",
  linkSentLead:
    "Wenn wir dich kennen, ist ein Link für ein neues Passwort unterwegs. Er gilt eine Stunde. Kommt nichts an, sieh im Spam-Ordner nach oder versuch es noch einmal.",
  linkExpiredLead: "Links in E-Mails gelten eine begrenzte Zeit. Wir können dir einen neuen schicken.",
  linkUnknownLead: "Er ist vielleicht unvollständig oder zu alt. Öffne den Link in der E-Mail noch einmal, oder kopiere ihn ganz.",
  linkRequestLead: "Sag uns, wer du bist. Wir schicken einen Link für ein neues Passwort an die Adresse deines Kontos.",

  linkCodeLead: "Dieser Link meldet dich hier in diesem Browser an.",
  linkCodeNote: "Hast du diesen Link nicht angefordert oder ist die Adresse nicht deine, schließ diese Seite.",
  linkCodeUsed: "Er wurde schon verwendet oder ist abgelaufen. Geh zurück zur App und fordere einen neuen an.",

  logoutLead: "Du wirst in diesem Browser bei {tenant} abgemeldet.",
  logoutStay: "Um angemeldet zu bleiben, schließ einfach diese Seite.",

  loggedOutTitle: "Du bist abgemeldet",
  loggedOutLead: "Du kannst diese Seite jetzt schließen.",

  errorLead:
    "Mit dieser Anfrage stimmt etwas nicht. Geh zurück zur App und beginne von vorn. Hilft das nicht, gib diese Angaben an deren Support weiter.",
  expiredLead:
    "Die Seite war zu lange offen, oder die Anmeldung hat in einem anderen Browser begonnen. Geh zurück zur App und beginne von vorn.",
  noLoginTitle: "Beginne in der App",
  noLoginLead:
    "Unter dieser Adresse beginnt keine Anmeldung; vielleicht ist sie ein Lesezeichen. Öffne die App, die du benutzen möchtest, und melde dich dort an.",
  notFoundLead: "Vielleicht ist die Adresse falsch geschrieben, oder es gibt die Seite nicht mehr. Geh zurück zur App und beginne dort.",
  cookiesTitle: "Dein Browser hat ein Cookie blockiert",
  cookiesLead:
    "Diese Seite braucht ein Cookie, um deinen Browser wiederzuerkennen. Erlaube Cookies für diese Website, geh dann zurück zur App und beginne neu. Ein privates Fenster oder ein anderer Browser geht auch.",
  invitationExpiredLead: "Bitte die Person, die dich eingeladen hat, um eine neue Einladung.",
  invitationUsedLead: "Wenn du das warst, öffne die App und melde dich an. Bitte sonst die Person, die dich eingeladen hat, um eine neue.",
  invitationWithdrawnLead: "Frag die Person, die dich eingeladen hat, ob du noch beitreten sollst.",

  formPostLead: "Falls nach einigen Sekunden nichts passiert, nutze die Schaltfläche.",
  providerDeclined: "Du hast die Anmeldung dort nicht abgeschlossen. Versuch es noch einmal, oder melde dich anders an.",
  providerFailed: "Die Anmeldung dort hat nicht geklappt. Versuch es noch einmal, oder melde dich anders an.",
  noAccountHere: "Du hast hier noch kein Konto, und auf diesem Weg lässt sich keines anlegen. Melde dich anders an.",
  linkAccountTitle: "Du hast schon ein Konto",
  linkAccountLead: "Ein Konto hier hat die Adresse {email}. Melde dich einmal damit an, dann kommst du künftig auch mit {provider} hinein.",
  linkAccountFailed:
    "Dieses Konto bei {provider} lässt sich nicht mit deinem Konto hier verknüpfen. Du kannst damit als eigenes Konto weitermachen.",
};
