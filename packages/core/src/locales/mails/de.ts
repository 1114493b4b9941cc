import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in German. */
export const de: MailTexts = {
  direction: "ltr",

  codeOrLink: "Oder nutzen Sie diesen Link:",
  linkInstead: "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
  footer: "Gesendet an {address} von {sender}.",
  help: "Hilfe",

  verifySubject: "Bestätigen Sie Ihre E-Mail-Adresse",
  verifyLead: "Bestätigen Sie, dass {address} Ihre Adresse ist, damit {sender} weiß, dass dieses Konto Ihnen gehört.",
  verifyButton: "Adresse bestätigen",
  verifyNote: "Falls Sie kein Konto bei {sender} haben, ignorieren Sie diese Nachricht.",

  welcomeSubject: "Willkommen bei {sender}",
  welcomeLead: "Ihr Konto bei {sender} ist bereit. Sie melden sich mit {address} an.",

  resetSubject: "Wählen Sie ein neues Passwort",
  resetLead: "Jemand hat ein neues Passwort für Ihr Konto bei {sender} angefordert.",
  resetButton: "Neues Passwort wählen",
  resetNote: "Falls Sie das nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.",

  loginCodeSubject: "Ihr Code zur Anmeldung bei {app}",
  loginCodeLead: "Mit diesem Code melden Sie sich bei {app} an:",
  loginCodeNote:
    "Geben Sie den Code niemandem: Wer ihn hat, kann sich als Sie anmelden. Falls Sie sich nicht anmelden wollten, ignorieren Sie diese Nachricht.",
  loginCodeText: "{code} ist Ihr Code zur Anmeldung bei {app}. Geben Sie ihn niemandem.",
  loginLinkSubject: "Bei {app} anmelden",
  loginLinkLead: "Mit diesem Link melden Sie sich bei {app} an.",
  loginLinkNote:
    "Geben Sie den Link niemandem: Wer ihn hat, kann sich als Sie anmelden. Falls Sie sich nicht anmelden wollten, ignorieren Sie diese Nachricht.",
  loginLinkText: "Melden Sie sich mit diesem Link bei {app} an. Geben Sie ihn niemandem.",
  loginButton: "Anmelden",

  invitationSubject: "{inviter} lädt Sie zu {organization} ein",
  invitationLead: "{inviter} lädt Sie ein, {organization} beizutreten.",
  invitationButton: "Einladung annehmen",
  invitationUntil: "Die Einladung gilt bis {time}.",
  invitationNote: "Falls Sie nicht wissen, warum Sie diese Nachricht bekommen, tun Sie nichts.",

  passwordChangedSubject: "Ihr Passwort wurde geändert",
  passwordChangedLead: "Das Passwort Ihres Kontos bei {sender} wurde geändert.",
  passwordChangedNote:
    "Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort: Beginnen Sie eine Anmeldung und geben Sie an, dass Sie das Passwort vergessen haben.",

  blockedSubject: "Zu viele falsche Passwörter für Ihr Konto",
  blockedLead:
    "Jemand hat falsche Passwörter für Ihr Konto bei {sender} probiert. Für einige Minuten kann sich niemand mit Passwort dort anmelden.",
  blockedNote:
    "Falls Sie das waren, warten Sie ein wenig und versuchen Sie es noch einmal. Falls nicht: Niemand ist hineingekommen, und mit einem Passwort, das Sie sonst nirgends nutzen, bleibt es dabei.",

  newDeviceSubject: "Neue Anmeldung in Ihrem Konto",
  newDeviceLead: "Jemand hat sich in Ihrem Konto bei {sender} mit einem Gerät angemeldet, das bisher nicht benutzt wurde.",
  newDeviceNote: "Falls Sie das waren, ist nichts zu tun. Falls nicht, wählen Sie sofort ein neues Passwort.",

  linkCodeSubject: "Ihr Code zum Verknüpfen mit {provider}",
  linkCodeLead: "Mit diesem Code verknüpfen Sie {provider} mit Ihrem Konto bei {sender}:",
  linkCodeNote:
    "Danach können Sie sich auch mit {provider} anmelden. Falls Sie das nicht wollten, ignorieren Sie diese Nachricht und geben Sie den Code niemandem.",

  accountLinkedSubject: "{provider} wurde mit Ihrem Konto verknüpft",
  accountLinkedLead: "Ihr Konto bei {sender} lässt sich jetzt auch mit {provider} anmelden.",
  accountLinkedNote: "Falls Sie das waren, ist nichts zu tun. Falls nicht, wenden Sie sich sofort an {sender}.",

  accountExistsSubject: "Sie haben schon ein Konto",
  accountExistsLead:
    "Jemand wollte sich mit dieser Adresse bei {sender} registrieren. Es gibt schon ein Konto von Ihnen: Melden Sie sich stattdessen an.",
  accountExistsNote:
    "Falls Sie das Passwort vergessen haben, wählen Sie dort, wo Sie sich anmelden, ein neues. Falls Sie das nicht waren, ignorieren Sie diese Nachricht: Nichts hat sich geändert.",

  factTime: "Zeit",
  factDevice: "Gerät",
  factAddress: "Netzwerkadresse",
};
