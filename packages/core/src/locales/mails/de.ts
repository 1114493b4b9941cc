import type { MailTexts } from "./texts.ts";

/** The German texts for mails and text messages. */
export const deMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "Oder nutzen Sie diesen Link:",
  linkInstead: "Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
  footer: "Gesendet an {address} von {sender}.",
  help: "Hilfe",

  verifySubject: "Bestätigen Sie Ihre E-Mail-Adresse",
  verifyLead: "Bestätigen Sie, dass {address} die E-Mail-Adresse Ihres Kontos bei {sender} ist.",
  verifyButton: "Adresse bestätigen",
  verifyNote: "Wenn Sie kein Konto bei {sender} haben, ignorieren Sie diese Nachricht.",

  welcomeSubject: "Willkommen bei {sender}",
  welcomeLead: "Ihr Konto bei {sender} ist bereit. Melden Sie sich mit {address} an.",

  testSubject: "Test-E-Mail von {sender}",
  testLead: "Sie haben diese E-Mail am {time} gesendet, um die E-Mail-Einstellungen von {sender} zu testen.",

  resetSubject: "Wählen Sie ein neues Passwort",
  resetLead: "Wir haben eine Anfrage für ein neues Passwort zu Ihrem Konto bei {sender} erhalten.",
  resetButton: "Neues Passwort wählen",
  resetNote: "Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht. Ihr Passwort bleibt unverändert.",

  enrollSubject: "Bestätigung in zwei Schritten für Ihr Konto einrichten",
  enrollLead: "Fügen Sie eine weitere Methode hinzu, um Ihre Anmeldung bei {sender} zu bestätigen.",
  enrollButton: "Einrichten",
  enrollNote:
    "Der Link ist fünf Tage gültig und kann einmal benutzt werden. Wenn Sie kein Konto bei {sender} haben, ignorieren Sie diese Nachricht.",

  loginCodeSubject: "Ihr Code zur Anmeldung bei {app}",
  loginCodeLead: "Geben Sie diesen Code ein, um sich bei {app} anzumelden:",
  loginCodeNote:
    "Geben Sie den Code nicht weiter. Wer ihn hat, kann sich in Ihrem Namen anmelden. Wenn Sie sich nicht anmelden wollten, ignorieren Sie diese Nachricht.",
  loginCodeText: "{code} ist Ihr Code zur Anmeldung bei {app}. Geben Sie ihn nicht weiter.",
  loginLinkSubject: "Bei {app} anmelden",
  loginLinkLead: "Mit diesem Link melden Sie sich bei {app} an.",
  loginLinkNote:
    "Geben Sie den Link nicht weiter. Wer ihn hat, kann sich in Ihrem Namen anmelden. Wenn Sie sich nicht anmelden wollten, ignorieren Sie diese Nachricht.",
  loginLinkText: "Melden Sie sich mit diesem Link bei {app} an. Geben Sie ihn nicht weiter.",
  loginButton: "Anmelden",

  invitationSubject: "{inviter} lädt Sie zu {organization} ein",
  invitationLead: "{inviter} lädt Sie ein, {organization} beizutreten.",
  invitationButton: "Einladung annehmen",
  invitationUntil: "Die Einladung ist gültig bis {time}.",
  invitationNote: "Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese Nachricht.",

  passwordChangedSubject: "Ihr Passwort wurde geändert",
  passwordChangedLead: "Das Passwort Ihres Kontos bei {sender} wurde geändert.",
  passwordChangedNote:
    "Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: Starten Sie eine Anmeldung und wählen Sie „Passwort vergessen?“.",

  blockedSubject: "Zu viele falsche Passwörter für Ihr Konto",
  blockedLead:
    "Bei Ihrem Konto bei {sender} wurde zu oft ein falsches Passwort eingegeben. Die Anmeldung mit Passwort ist für einige Minuten gesperrt.",
  blockedNote:
    "Wenn Sie das waren, warten Sie einige Minuten und versuchen Sie es erneut. Wenn nicht: Die Versuche waren erfolglos. Ein Passwort, das Sie sonst nirgends verwenden, schützt Ihr Konto.",

  newDeviceSubject: "Neue Anmeldung bei Ihrem Konto",
  newDeviceLead: "Bei Ihrem Konto bei {sender} gab es eine Anmeldung von einem neuen Gerät.",
  newDeviceNote: "Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wählen Sie sofort ein neues Passwort.",

  factorCodeSubject: "Ihr Bestätigungscode für {app}",
  factorCodeLead: "Geben Sie diesen Code ein, um die Anmeldung bei {app} abzuschließen:",
  factorCodeNote: "Geben Sie den Code nicht weiter. Wenn Sie sich nicht anmelden wollten, kennt jemand Ihr Passwort: Wählen Sie ein neues.",
  factorCodeText: "{code} ist Ihr Bestätigungscode für {app}. Geben Sie ihn nicht weiter.",
  factorCodeSpoken: "Ihr Bestätigungscode für {app} lautet {code}. Noch einmal: {code}. Geben Sie ihn nicht weiter.",
  factorTotp: "Authenticator-App",
  factorPhone: "Telefon",
  factorEmail: "E-Mail-Adresse",
  factorRecoveryCode: "Notfallcode",
  factorSecurityKey: "Sicherheitsschlüssel",
  factorDevice: "Gerät",
  factorPasskey: "Passkey",
  factorAddedSubject: "Eine Anmeldemethode wurde Ihrem Konto hinzugefügt",
  factorAddedLead: "Die Bestätigung in zwei Schritten für Ihr Konto bei {sender} hat jetzt eine weitere Methode: {factor}.",
  factorRemovedSubject: "Eine Anmeldemethode wurde aus Ihrem Konto entfernt",
  factorRemovedLead: "Die Bestätigung in zwei Schritten für Ihr Konto bei {sender} hat diese Methode nicht mehr: {factor}.",
  factorUpdatedSubject: "Eine Anmeldemethode Ihres Kontos wurde geändert",
  factorUpdatedLead: "Bei der Bestätigung in zwei Schritten für Ihr Konto bei {sender} wurde diese Methode geändert: {factor}.",
  factorChangedNote:
    "Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wählen Sie sofort ein neues Passwort und wenden Sie sich an {sender}.",
  factorReplacedSubject: "Eine Anmeldemethode Ihres Kontos wurde ersetzt",
  factorReplacedLead:
    "Diese Methode der Bestätigung in zwei Schritten für Ihr Konto bei {sender} wurde ersetzt: {factor}. Die bisherige gilt nicht mehr.",
  factorUndoButton: "Das war ich nicht",
  factorUndoNote:
    "Die Schaltfläche meldet das Konto überall ab und sperrt Änderungen an Anmeldemethoden für 24 Stunden. Gültig für 7 Tage.",

  factorAdministratorNote:
    "Ein Administrator hat diese Änderung vorgenommen. Wenn Sie sie nicht erwartet haben, wenden Sie sich an {sender}.",
  factorLockedSubject: "Zu viele falsche Codes für Ihr Konto",
  factorLockedLead:
    "Jemand hat Ihr Passwort für {sender} und danach zu viele falsche Codes eingegeben. Diese Methode der Bestätigung in zwei Schritten ist für einige Minuten gesperrt.",
  factorLockedNote:
    "Wenn Sie das waren, warten Sie einige Minuten oder verwenden Sie eine andere Methode. Wenn nicht, wählen Sie sofort ein neues Passwort.",

  deletionSubject: "Ihr Konto wird gelöscht",
  deletionReminderSubject: "Ihr Konto wird bald gelöscht",
  deletionLead: "Ihr Konto bei {sender} wird am {time} gelöscht, weil Sie es so gewünscht haben.",
  deletionKeep: "Wenn Sie das Konto behalten wollen, melden Sie sich vorher an.",
  deletionNote: "Wenn Sie das nicht waren, melden Sie sich jetzt an, behalten Sie das Konto und wählen Sie ein neues Passwort.",

  linkCodeSubject: "Ihr Code zum Verknüpfen mit {provider}",
  linkCodeLead: "Geben Sie diesen Code ein, um {provider} mit Ihrem Konto bei {sender} zu verknüpfen:",
  linkCodeNote:
    "Danach können Sie sich auch mit {provider} anmelden. Wenn Sie das nicht angefordert haben, ignorieren Sie diese Nachricht und geben Sie den Code nicht weiter.",

  accountLinkedSubject: "{provider} wurde mit Ihrem Konto verknüpft",
  accountLinkedLead: "Sie können sich jetzt auch mit {provider} bei Ihrem Konto bei {sender} anmelden.",
  accountLinkedNote: "Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, wenden Sie sich sofort an {sender}.",

  accountExistsSubject: "Sie haben bereits ein Konto",
  accountExistsLead:
    "Mit dieser Adresse wurde versucht, sich bei {sender} zu registrieren. Sie haben bereits ein Konto. Melden Sie sich stattdessen an.",
  accountExistsNote:
    "Wenn Sie das Passwort vergessen haben, können Sie bei der Anmeldung ein neues wählen. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht. Es hat sich nichts geändert.",

  addressCodeSubject: "Code zur Bestätigung dieser Adresse für {sender}",
  addressCodeLead: "Mit diesem Code wird diese Adresse für das Konto bei {sender} bestätigt:",
  addressCodeNote: "Den Code bitte nicht weitergeben. Wenn er nicht angefordert wurde, kann diese Nachricht ignoriert werden.",
  addressCodeText: "{code} ist der Code, um diese Nummer bei {sender} zu verwenden. Bitte nicht weitergeben.",
  addressInUseSubject: "Diese Adresse wird bereits verwendet",
  addressInUseLead:
    "Ein anderes Konto bei {sender} sollte diese Adresse erhalten. Die Adresse gehört bereits zu einem Konto, deshalb hat sich nichts geändert.",
  addressInUseNote:
    "Wer das selbst war, kann sich stattdessen mit dieser Adresse anmelden. Andernfalls kann diese Nachricht ignoriert werden.",
  emailChangedSubject: "E-Mail-Adresse geändert",
  emailChangedLead: "Die E-Mail-Adresse des Kontos bei {sender} wurde geändert.",
  phoneChangedSubject: "Telefonnummer geändert",
  phoneChangedLead: "Die Telefonnummer des Kontos bei {sender} wurde geändert.",
  usernameChangedSubject: "Benutzername geändert",
  usernameChangedLead: "Der Benutzername des Kontos bei {sender} wurde geändert.",
  accountAddedSubject: "Ein weiteres Konto wurde verknüpft",
  accountAddedLead: "Ein weiteres Konto kann jetzt zur Anmeldung beim Konto bei {sender} verwendet werden.",
  accountUnlinkedSubject: "Ein verknüpftes Konto wurde getrennt",
  accountUnlinkedLead: "Ein verknüpftes Konto kann nicht mehr zur Anmeldung beim Konto bei {sender} verwendet werden.",
  accountChangedNote:
    "War die Änderung gewollt, ist nichts weiter zu tun. Andernfalls bitte sofort die Schaltfläche verwenden und {sender} kontaktieren.",
  factTime: "Zeit",
  factDevice: "Gerät",
  factAddress: "IP-Adresse",
};
