import type { Messages } from "../messages.ts";

/** The German texts for pages that differ with the familiar form of address, "du". */
export const deFamiliar: Partial<Messages> = {
  identifierLeadPlain: "mit deinem Konto bei {tenant}",

  addressInvalid: "An diese Adresse können wir keinen Code senden. Bitte prüfe die Schreibweise.",

  emailMalformed: "Das ist keine gültige E-Mail-Adresse. Bitte prüfe die Schreibweise.",
  usernameMalformed: "Dieser Benutzername ist nicht zulässig. Bitte wähle einen anderen.",
  usernameTaken: "Dieser Benutzername ist schon vergeben. Bitte wähle einen anderen.",
  phoneMalformed: "Gib deine Telefonnummer mit + und der Ländervorwahl ein.",
  phoneMisspelled: "Gib die Nummer so ein: {number}",
  phoneUsed: "Du hast dich mit dieser Nummer angemeldet. Füge eine andere hinzu.",
  accountTaken: "Mit diesen Angaben können wir kein Konto erstellen. Wenn du schon eines hast, melde dich an.",

  codeLeadEmail: "Gib den Code ein, den wir an {address} gesendet haben.",
  codeLeadSms: "Gib den Code ein, den wir per SMS an {address} gesendet haben.",
  codeLeadReset: "Wenn es ein Konto für {address} gibt, haben wir einen Code dorthin gesendet. Gib den Code hier ein.",
  codeLeadAccount: "Wenn es dieses Konto gibt, haben wir einen Code an die hinterlegte E-Mail-Adresse gesendet. Gib den Code hier ein.",
  codeMissing: "Gib den Code ein, den du von uns erhalten hast.",
  codeWrong: "Der Code ist falsch oder nicht mehr gültig. Prüfe ihn oder fordere einen neuen an.",
  codesTooMany: "Es wurden zu viele Codes gesendet. Verwende den letzten oder versuche es in 10 Minuten erneut.",
  newNumbersTooMany:
    "Wir können im Moment keine weiteren Codes an neue Telefonnummern senden. Verwende den letzten Code oder versuche es in einer Stunde erneut.",

  factorLeadTotp: "Öffne deine Authenticator-App und gib den 6-stelligen Code für {tenant} ein.",
  factorLeadCall: "Wir rufen {address} an und sagen dir einen Code an.",
  factorLeadCalled: "Gib den Code aus unserem Anruf bei {address} ein.",
  factorLeadEmail: "Gib den Code ein, den wir an {address} gesendet haben.",
  factorLeadPhone: "Gib den Code ein, den wir per SMS an {address} gesendet haben.",
  factorLeadRecovery:
    "Gib den Notfallcode ein, den du beim Einrichten der Bestätigung in zwei Schritten gespeichert hast. Er gilt nur einmal.",
  factorLeadKey: "Bestätige deine Identität mit deinem Sicherheitsschlüssel.",
  factorLeadPasskey: "Bestätige deine Identität mit Fingerabdruck, Gesicht oder Displaysperre.",
  factorCodeMissing: "Gib den Code ein.",
  factorCodeWrong: "Der Code ist falsch oder nicht mehr gültig. Prüfe ihn oder verwende einen neueren.",
  factorTooManyAttempts: "Zu viele falsche Codes. Warte einige Minuten oder verwende eine andere Methode.",
  factorAddedElsewhere: "Deinem Konto wurde gerade eine andere Methode hinzugefügt. Verwende diese Methode, um fortzufahren.",
  factorLocked:
    "Zu viele Fehlversuche. Ab {time} kannst du es so erneut versuchen. Verwende bis dahin eine andere Methode, falls vorhanden.",

  addFactorLead: "{tenant} verlangt bei der Anmeldung einen zweiten Schritt. Wähle, wie du deine Identität bestätigen möchtest.",
  addFactorPhoneHint: "Codes, die wir an dein Telefon senden",
  webauthnAddLead: "Dein Browser fragt gleich nach deinem Sicherheitsschlüssel. Folge seinen Anweisungen.",
  webauthnWaiting:
    "Dein Browser wartet auf deinen Passkey oder Sicherheitsschlüssel. Folge seinen Anweisungen oder wähle eine andere Methode, falls vorhanden.",
  webauthnNeedsScript:
    "Passkeys und Sicherheitsschlüssel benötigen JavaScript und einen geeigneten Browser. Wähle eine andere Methode, falls vorhanden.",
  webauthnFailed: "Das hat nicht geklappt. Versuche es erneut oder wähle eine andere Methode.",
  webauthnUnavailable: "Dein Schlüssel funktioniert unter dieser Webadresse nicht. Wähle eine andere Methode, falls vorhanden.",

  passkeyFailed: "Die Anmeldung mit diesem Passkey hat nicht geklappt. Versuche es erneut oder wähle eine andere Methode.",
  newPasskeyLead: "Melde dich mit Fingerabdruck, Gesicht oder Displaysperre an. Ein Passwort brauchst du nicht.",
  addPasskeyLead:
    "Erstelle einen Passkey und melde dich beim nächsten Mal mit Fingerabdruck, Gesicht oder Displaysperre an. Dein Passwort gilt weiterhin.",
  addPasskeyDeviceLead:
    "Du hast dich mit dem Passkey eines anderen Geräts angemeldet. Mit einem Passkey auf diesem Gerät brauchst du das andere beim nächsten Mal nicht.",

  addTotpLead: "Füge dein Konto einer Authenticator-App hinzu. Gib dann den Code ein, den die App anzeigt.",
  addTotpScan: "Scanne diesen QR-Code mit der App:",
  addTotpQr: "QR-Code für deine Authenticator-App",
  addTotpManual: "Oder gib diesen Schlüssel in der App ein:",

  recoveryLead:
    "Wenn du deine anderen Anmeldemethoden nicht mehr hast, kannst du dich mit diesem Code einmal anmelden. Schreib ihn auf oder bewahre ihn an einem sicheren Ort auf. Wir zeigen ihn nicht noch einmal an.",
  recoverySpentLead:
    "Der eingegebene Code ist verbraucht und gilt nicht mehr. Dieser ersetzt ihn. Schreib ihn auf oder bewahre ihn an einem sicheren Ort auf. Wir zeigen ihn nicht noch einmal an.",
  recoveryReplace:
    "Wenn du eine Anmeldemethode verloren hast, ersetze sie in den Einstellungen zur Anmeldesicherheit: Füge eine neue hinzu und entferne die verlorene.",
  recoveryLabel: "Dein Notfallcode",

  resetLead: "Wir senden dir einen Code und einen Link für ein neues Passwort.",
  newPasswordNote: "Auf allen anderen Geräten wirst du abgemeldet.",

  identifierMissing: "Gib deine E-Mail-Adresse, deinen Benutzernamen oder deine Telefonnummer ein.",
  missingEmail: "Gib deine E-Mail-Adresse ein.",
  missingUsername: "Gib deinen Benutzernamen ein.",
  missingPhone: "Gib deine Telefonnummer ein.",
  missingEmailUsername: "Gib deine E-Mail-Adresse oder deinen Benutzernamen ein.",
  missingEmailPhone: "Gib deine E-Mail-Adresse oder deine Telefonnummer ein.",
  missingUsernamePhone: "Gib deinen Benutzernamen oder deine Telefonnummer ein.",
  passwordMissing: "Gib dein Passwort ein.",
  wrongCredentials: "E-Mail-Adresse oder Passwort ist falsch. Versuche es erneut.",
  tooManyAttempts: "Zu viele Versuche. Versuche es in 5 Minuten erneut.",
  wrongCredentialsOrReset: "E-Mail-Adresse oder Passwort ist falsch. Versuche es erneut oder setze dein Passwort zurück.",
  tooManyAttemptsOrReset: "Zu viele Versuche. Versuche es in 5 Minuten erneut oder setze dein Passwort zurück.",
  blocked: "Dieses Konto ist gesperrt. Bitte wende dich an {tenant}.",

  consentTitle: "{client} Zugriff auf dein Konto erlauben?",
  consentAccount: "Du bist angemeldet als {account}",
  consentActs: "{client} darf bei {audience} für dich handeln, auch im Auftrag anderer Apps.",
  consentNothing: "{client} möchte nur bestätigen, dass du es bist.",
  consentNotYou: "Nicht du?",
  consentNotYouName: "Nicht du? Anderes Konto verwenden",
  consentTrust: "Danach gelangst du zu {destination}. Erlaube den Zugriff nur, wenn du {client} vertraust.",
  consentAppTitle: "Dieser App Zugriff auf dein Konto erlauben?",
  consentAppNothing: "Die App möchte nur bestätigen, dass du es bist.",
  consentUnchecked: "Niemand hat den Namen der App geprüft. Erlaube den Zugriff nur, wenn du den Vorgang selbst begonnen hast.",
  deviceLead: "Gib den Code ein, den dein Gerät anzeigt.",
  deviceCodeMissing: "Gib den Code ein.",
  deviceCodeWrong: "Der Code ist falsch oder abgelaufen. Prüfe ihn auf deinem Gerät oder fordere dort einen neuen an.",
  deviceNote: "Hat dir jemand diesen Code geschickt? Dann gib ihn nicht ein.",
  deviceConfirmTitle: "Auf deinem Gerät bei {client} anmelden?",
  deviceConfirmLead: "Prüfe, ob dein Gerät diesen Code anzeigt:",
  deviceOtherNetwork: "Das Gerät ist in einem anderen Netzwerk als dieser Browser. Fahre nur fort, wenn du weißt, warum.",
  deviceConfirmNote:
    "Fahre nur fort, wenn du den Vorgang selbst begonnen hast, auf einem Gerät, das vor dir steht. Wer das Gerät hat, kann dein Konto nutzen.",
  deviceApprovedLead: "Mach auf deinem Gerät weiter. Du kannst diese Seite schließen.",
  deviceDeniedLead:
    "Du kannst diese Seite schließen. Wenn du den Vorgang nicht begonnen hast, wollte vielleicht jemand auf dein Konto zugreifen.",
  deviceLostLead: "Beginne auf deinem Gerät von vorn, um einen neuen Code zu erhalten.",
  scopeOpenid: "Deine Identität bestätigen",
  scopeProfile: "Deinen Namen, dein Bild und weitere Profildaten sehen",
  scopeEmail: "Deine E-Mail-Adresse sehen",
  scopePhone: "Deine Telefonnummer sehen",
  scopeAddress: "Deine Anschrift sehen",
  scopeOfflineAccess: "Auch in deiner Abwesenheit darauf zugreifen",

  organizationNone: "Keine Organisation mit diesem Namen gefunden. Prüfe die Schreibweise.",

  invitationLead: "{inviter} lädt dich ein, {organization} beizutreten.",
  invitationOther: "Diese Einladung ist für {email}. Melde dich mit diesem Konto an, um sie anzunehmen.",

  passwordTooCommon: "Dieses Passwort wird zu häufig verwendet. Wähle ein anderes.",
  passwordPersonal: "Dieses Passwort enthält deinen Namen oder deine Adresse. Wähle ein anderes.",
  passwordLeaked:
    "Dieses Passwort ist bei einem anderen Dienst durch ein Datenleck bekannt geworden. Wähle eines, das du sonst nirgends verwendest.",

  linkConfirmLead: "Zu deinem Konto bei {tenant} gehört diese Adresse. Bestätige, dass es deine ist.",
  linkAskTitle: "Hast du dieses Konto erstellt?",
  linkAskLead: "Bei {tenant} gibt es ein Konto mit deiner Adresse.",
  linkAskNote:
    "Wenn du es nicht erstellt hast, wähle „Nein“. Dann gilt das Passwort des Kontos nicht mehr, und die Person, die es erstellt hat, wird abgemeldet.",
  linkVerifiedTitle: "Deine Adresse ist bestätigt",
  linkVerifiedLead: "Du kannst jetzt in der App fortfahren.",
  linkDisownedLead: "Das Passwort dieses Kontos gilt nicht mehr. Wenn du das Konto selbst nutzen möchtest, lege ein neues fest.",
  passwordFormer: "Dieses Passwort hast du schon einmal verwendet. Wähle ein anderes.",
  linkChangedTitle: "Dein Passwort wurde geändert",
  linkChangedLead: "Du wurdest überall abgemeldet. Melde dich mit deinem neuen Passwort an.",
  linkUsedLead:
    "Damit wurde ein Passwort festgelegt. Wenn du das warst, öffne die App und melde dich an. Wenn nicht, fordere einen neuen Link an.",
  linkSentLead:
    "Wenn du ein Konto hast, haben wir dir einen Link für ein neues Passwort gesendet. Er ist eine Stunde gültig. Wenn nichts ankommt, prüfe den Spam-Ordner oder versuche es erneut.",
  linkExpiredLead: "Links in E-Mails sind nur begrenzte Zeit gültig. Wir können dir einen neuen senden.",
  linkUnknownLead: "Vielleicht ist er unvollständig oder zu alt. Öffne den Link in der E-Mail noch einmal oder kopiere ihn vollständig.",
  noUsableFactorLead:
    "Keine deiner Methoden zur Bestätigung in zwei Schritten ist zurzeit nutzbar. Versuche es später erneut oder wende dich an den Support.",
  enrolledLead: "Ab jetzt kannst du deine Anmeldung so bestätigen. Du kannst diese Seite schließen.",
  linkEndedLead: "Der Link wurde benutzt, ist abgelaufen, oder das Konto hat sich seitdem geändert. Bitte um einen neuen Link.",
  linkRequestLead: "Gib deine Daten ein. Wir senden einen Link für ein neues Passwort an die E-Mail-Adresse deines Kontos.",

  linkCodeLead: "Mit diesem Link meldest du dich in diesem Browser an.",
  linkCodeElsewhere:
    "Du hast in einem anderen Browser begonnen. Um dich stattdessen dort anzumelden, gib dort den Code aus der Nachricht ein.",
  linkCodeNote: "Wenn du diesen Link nicht angefordert hast oder dies nicht deine Adresse ist, schließe diese Seite.",
  linkCodeUsed: "Er wurde schon verwendet oder ist abgelaufen. Geh zurück zur App und fordere einen neuen an.",
  linkFactorRequired:
    "Dein Konto ist durch die Bestätigung in zwei Schritten geschützt. Deshalb kannst du dich mit diesem Link hier nicht anmelden. Öffne ihn in dem Browser, in dem du begonnen hast, oder gib dort den Code aus der Nachricht ein.",

  logoutLead: "Du wirst in diesem Browser bei {tenant} abgemeldet.",
  logoutStay: "Um angemeldet zu bleiben, schließ einfach diese Seite.",

  loggedOutTitle: "Du bist abgemeldet",
  loggedOutLead: "Du kannst diese Seite jetzt schließen.",

  errorLead:
    "Mit dieser Anfrage stimmt etwas nicht. Geh zurück zur App und beginne von vorn. Wenn das nicht hilft, sende diese Angaben an den Support der App.",
  expiredLead:
    "Die Seite war zu lange geöffnet, oder die Anmeldung wurde in einem anderen Browser begonnen. Geh zurück zur App und beginne von vorn.",
  noLoginTitle: "Starte in der App",
  noLoginLead:
    "Unter dieser Adresse kannst du dich nicht direkt anmelden. Vielleicht stammt sie aus einem Lesezeichen. Öffne die gewünschte App und melde dich dort an.",
  notFoundLead:
    "Vielleicht ist die Adresse falsch geschrieben, oder die Seite gibt es nicht mehr. Geh zurück zur App und beginne von vorn.",
  cookiesTitle: "Dein Browser hat ein Cookie blockiert",
  cookiesLead:
    "Diese Seite braucht ein Cookie, um deinen Browser wiederzuerkennen. Erlaube Cookies für diese Website, geh dann zurück zur App und beginne von vorn. Auch ein privates Fenster oder ein anderer Browser funktioniert.",
  invitationExpiredLead: "Bitte die Person, die dich eingeladen hat, um eine neue Einladung.",
  invitationUsedLead:
    "Wenn du das warst, öffne die App und melde dich an. Wenn nicht, bitte die Person, die dich eingeladen hat, um eine neue Einladung.",
  invitationWithdrawnLead: "Frag die Person, die dich eingeladen hat, ob du noch beitreten kannst.",
  noConnectionLead:
    "Die Anmeldung bei Apps, die sich selbst registrieren, ist hier nicht eingerichtet. Wenn du die App brauchst, wende dich an den Support.",

  formPostLead: "Wenn nach einigen Sekunden nichts passiert, klicke auf die Schaltfläche.",
  providerDeclined: "Du hast die Anmeldung nicht abgeschlossen. Versuche es erneut oder wähle eine andere Option.",
  providerFailed: "Die Anmeldung auf diesem Weg hat nicht geklappt. Versuche es erneut oder wähle eine andere Option.",
  noAccountHere: "Du hast noch kein Konto, und auf diesem Weg kannst du keines erstellen. Melde dich anders an.",
  linkAccountLead: "Du hast bereits ein Konto mit {email}. Melde dich einmal an, um es mit {provider} zu verknüpfen.",
  linkAccountFailed:
    "Dieses Konto bei {provider} lässt sich nicht mit deinem bestehenden Konto verknüpfen. Du kannst es als separates Konto verwenden.",
  answeredLead: "Hier gibt es nichts mehr zu tun. Fahre in der App fort.",

  addFactorFrozen:
    "Du hast uns gemeldet, dass eine Änderung an deinen Anmeldemethoden nicht von dir stammt. Deshalb lässt sich 24 Stunden lang keine hinzufügen. Ohne einen zweiten Schritt kannst du dich nicht anmelden. Versuche es später erneut oder wende dich an den Support.",
  securityMethods: "Deine Anmeldemethoden",
  securityNone: "Du hast noch keinen zweiten Schritt. Mit einem zweiten Schritt reicht ein gestohlenes Passwort nicht für eine Anmeldung.",
  securityAddLead: "Wähle, wie du bei der Anmeldung deine Identität bestätigen möchtest.",
  securityRecoverySet: "Du hast einen Notfallcode. Wenn er verloren ist, erstelle einen neuen.",
  securityRecoveryNone: "Mit einem Notfallcode kannst du dich einmal anmelden, wenn du deine anderen Methoden verlierst.",
  securityRenameLead: "Wähle einen Namen, an dem du die Methode erkennst: {name}",
  securityNameMissing: "Gib einen Namen ein.",
  securityRemoveLead: "Damit kannst du deine Identität dann nicht mehr bestätigen: {name}",
  securityRemoveLast: "Das ist dein einziger zweiter Schritt. Ohne ihn fragen wir bei der Anmeldung nicht mehr nach einem zweiten Schritt.",
  securityRequiredLead: "{tenant} verlangt einen zweiten Schritt. Füge eine andere Methode hinzu, bevor du diese entfernst.",
  securityFrozenLead:
    "Du hast uns gemeldet, dass eine Änderung nicht von dir stammt. Deshalb lassen sich Anmeldemethoden 24 Stunden lang nicht ändern. Anmelden kannst du dich weiterhin.",
  securityAgainLead:
    "Um Anmeldemethoden zu ändern, musst du dich in den letzten 15 Minuten angemeldet haben. Melde dich hier ab und danach in der App wieder an.",
  securityUnavailableLead:
    "Keine deiner Anmeldemethoden funktioniert hier im Moment. Deshalb lassen sie sich nicht ändern. Wende dich an den Support.",
  securityNoSessionLead: "Melde dich in diesem Browser bei der App an und öffne dann diese Seite noch einmal.",
  securityConflict:
    "Die Änderung wurde nicht gespeichert. Es sind zu viele Methoden, oder sie wurden in einem anderen Fenster geändert. Versuche es erneut.",
  undoLead: "Fahre fort, wenn die Änderung an deinem Konto bei {tenant}, die wir dir gemeldet haben, nicht von dir stammt.",
  undoSignsOut: "Du wirst überall abgemeldet.",
  undoNote: "Die Anmeldemethoden bleiben, wie sie sind. Gehört eine davon nicht dir, wende dich an den Support.",
  undoDoneTitle: "Dein Konto ist geschützt",
  undoDoneLead:
    "Du wurdest überall abgemeldet, und Anmeldemethoden lassen sich 24 Stunden lang nicht ändern. Wähle jetzt ein neues Passwort. Gehört eine Anmeldemethode nicht dir, wende dich an den Support.",
  undoRemainsLead:
    "Du wurdest überall abgemeldet, und Anmeldemethoden lassen sich 24 Stunden lang nicht ändern. Eine vor Kurzem hinzugefügte oder ersetzte Methode funktioniert aber weiterhin. Gehört sie nicht dir, wende dich an den Support. Wähle jetzt ein neues Passwort.",
  undoUsedLead: "Alle Sitzungen wurden damit bereits beendet. Wenn noch etwas nicht stimmt, wende dich an den Support.",
  undoExpiredLead: "Wenn eine Änderung an deinem Konto nicht von dir stammt, wähle ein neues Passwort und wende dich an den Support.",
};
