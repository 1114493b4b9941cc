import type { MailTexts } from "../texts.ts";

/** The German texts for mails that differ with the familiar form of address, "du". */
export const deFamiliarMails: Partial<MailTexts> = {
  codeOrLink: "Oder nutze diesen Link:",
  linkInstead: "Wenn die Schaltfläche nicht funktioniert, kopiere diese Adresse in deinen Browser:",

  verifySubject: "Bestätige deine E-Mail-Adresse",
  verifyLead: "Bestätige, dass {address} die E-Mail-Adresse deines Kontos bei {sender} ist.",
  verifyNote: "Wenn du kein Konto bei {sender} hast, ignoriere diese Nachricht.",

  welcomeLead: "Dein Konto bei {sender} ist bereit. Melde dich mit {address} an.",
  testLead: "Du hast diese E-Mail am {time} gesendet, um die E-Mail-Einstellungen von {sender} zu testen.",

  resetSubject: "Wähle ein neues Passwort",
  resetLead: "Wir haben eine Anfrage für ein neues Passwort zu deinem Konto bei {sender} erhalten.",
  resetNote: "Wenn du das nicht angefordert hast, ignoriere diese Nachricht. Dein Passwort bleibt unverändert.",

  loginCodeSubject: "Dein Code zur Anmeldung bei {app}",
  loginCodeLead: "Gib diesen Code ein, um dich bei {app} anzumelden:",
  loginCodeNote:
    "Gib den Code nicht weiter. Wer ihn hat, kann sich in deinem Namen anmelden. Wenn du dich nicht anmelden wolltest, ignoriere diese Nachricht.",
  loginCodeText: "{code} ist dein Code zur Anmeldung bei {app}. Gib ihn nicht weiter.",
  loginLinkLead: "Mit diesem Link meldest du dich bei {app} an.",
  loginLinkNote:
    "Gib den Link nicht weiter. Wer ihn hat, kann sich in deinem Namen anmelden. Wenn du dich nicht anmelden wolltest, ignoriere diese Nachricht.",
  loginLinkText: "Melde dich mit diesem Link bei {app} an. Gib ihn nicht weiter.",

  invitationSubject: "{inviter} lädt dich zu {organization} ein",
  invitationLead: "{inviter} lädt dich ein, {organization} beizutreten.",
  invitationNote: "Wenn du diese Einladung nicht erwartet hast, ignoriere diese Nachricht.",

  passwordChangedSubject: "Dein Passwort wurde geändert",
  passwordChangedLead: "Das Passwort deines Kontos bei {sender} wurde geändert.",
  passwordChangedNote: "Wenn du das nicht warst, wähle sofort ein neues Passwort: Starte eine Anmeldung und wähle „Passwort vergessen?“.",

  blockedSubject: "Zu viele falsche Passwörter für dein Konto",
  blockedLead:
    "Bei deinem Konto bei {sender} wurde zu oft ein falsches Passwort eingegeben. Die Anmeldung mit Passwort ist für einige Minuten gesperrt.",
  blockedNote:
    "Wenn du das warst, warte einige Minuten und versuche es erneut. Wenn nicht: Die Versuche waren erfolglos. Ein Passwort, das du sonst nirgends verwendest, schützt dein Konto.",

  newDeviceSubject: "Neue Anmeldung bei deinem Konto",
  newDeviceLead: "Bei deinem Konto bei {sender} gab es eine Anmeldung von einem neuen Gerät.",
  newDeviceNote: "Wenn du das warst, musst du nichts tun. Wenn nicht, wähle sofort ein neues Passwort.",

  factorCodeSubject: "Dein Bestätigungscode für {app}",
  factorCodeLead: "Gib diesen Code ein, um die Anmeldung bei {app} abzuschließen:",
  factorCodeNote: "Gib den Code nicht weiter. Wenn du dich nicht anmelden wolltest, kennt jemand dein Passwort: Wähle ein neues.",
  factorCodeText: "{code} ist dein Bestätigungscode für {app}. Gib ihn nicht weiter.",
  factorCodeSpoken: "Dein Bestätigungscode für {app} lautet {code}. Noch einmal: {code}. Gib ihn nicht weiter.",
  factorAddedSubject: "Eine Anmeldemethode wurde deinem Konto hinzugefügt",
  factorAddedLead: "Die Bestätigung in zwei Schritten für dein Konto bei {sender} hat jetzt eine weitere Methode: {factor}.",
  factorRemovedSubject: "Eine Anmeldemethode wurde aus deinem Konto entfernt",
  factorRemovedLead: "Die Bestätigung in zwei Schritten für dein Konto bei {sender} hat diese Methode nicht mehr: {factor}.",
  factorUpdatedSubject: "Eine Anmeldemethode deines Kontos wurde geändert",
  factorUpdatedLead: "Bei der Bestätigung in zwei Schritten für dein Konto bei {sender} wurde diese Methode geändert: {factor}.",
  factorChangedNote: "Wenn du das warst, musst du nichts tun. Wenn nicht, wähle sofort ein neues Passwort und wende dich an {sender}.",
  factorReplacedSubject: "Eine Anmeldemethode deines Kontos wurde ersetzt",
  factorReplacedLead:
    "Diese Methode der Bestätigung in zwei Schritten für dein Konto bei {sender} wurde ersetzt: {factor}. Die bisherige gilt nicht mehr.",

  enrollSubject: "Bestätigung in zwei Schritten für dein Konto einrichten",
  enrollLead: "Füge eine weitere Methode hinzu, um deine Anmeldung bei {sender} zu bestätigen.",
  enrollNote:
    "Der Link ist fünf Tage gültig und kann einmal benutzt werden. Wenn du kein Konto bei {sender} hast, ignoriere diese Nachricht.",
  factorAdministratorNote: "Ein Administrator hat diese Änderung vorgenommen. Wenn du sie nicht erwartet hast, wende dich an {sender}.",
  factorLockedSubject: "Zu viele falsche Codes für dein Konto",
  factorLockedLead:
    "Jemand hat dein Passwort für {sender} und danach zu viele falsche Codes eingegeben. Diese Methode der Bestätigung in zwei Schritten ist für einige Minuten gesperrt.",
  factorLockedNote:
    "Wenn du das warst, warte einige Minuten oder verwende eine andere Methode. Wenn nicht, wähle sofort ein neues Passwort.",

  deletionSubject: "Dein Konto wird gelöscht",
  deletionReminderSubject: "Dein Konto wird bald gelöscht",
  deletionLead: "Dein Konto bei {sender} wird am {time} gelöscht, weil du es so gewünscht hast.",
  deletionKeep: "Wenn du das Konto behalten willst, melde dich vorher an.",
  deletionNote: "Wenn du das nicht warst, melde dich jetzt an, behalte das Konto und wähle ein neues Passwort.",

  linkCodeSubject: "Dein Code zum Verknüpfen mit {provider}",
  linkCodeLead: "Gib diesen Code ein, um {provider} mit deinem Konto bei {sender} zu verknüpfen:",
  linkCodeNote:
    "Danach kannst du dich auch mit {provider} anmelden. Wenn du das nicht angefordert hast, ignoriere diese Nachricht und gib den Code nicht weiter.",

  accountLinkedSubject: "{provider} wurde mit deinem Konto verknüpft",
  accountLinkedLead: "Du kannst dich jetzt auch mit {provider} bei deinem Konto bei {sender} anmelden.",
  accountLinkedNote: "Wenn du das warst, musst du nichts tun. Wenn nicht, wende dich sofort an {sender}.",

  accountExistsSubject: "Du hast bereits ein Konto",
  accountExistsLead:
    "Mit dieser Adresse wurde versucht, sich bei {sender} zu registrieren. Du hast bereits ein Konto. Melde dich stattdessen an.",
  accountExistsNote:
    "Wenn du das Passwort vergessen hast, kannst du bei der Anmeldung ein neues wählen. Wenn du das nicht warst, ignoriere diese Nachricht. Es hat sich nichts geändert.",
};
