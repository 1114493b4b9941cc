import type { MailTexts } from "../texts.ts";

/** What mails and text messages say in other words where people are addressed familiarly in German. */
export const deFamiliar: Partial<MailTexts> = {
  codeOrLink: "Oder nutze diesen Link:",
  linkInstead: "Falls die Schaltfläche nicht funktioniert, kopiere diese Adresse in deinen Browser:",

  verifySubject: "Bestätige deine E-Mail-Adresse",
  verifyLead: "Bestätige, dass {address} deine Adresse ist, damit {sender} weiß, dass dieses Konto dir gehört.",
  verifyNote: "Falls du kein Konto bei {sender} hast, ignoriere diese Nachricht.",

  welcomeLead: "Dein Konto bei {sender} ist bereit. Du meldest dich mit {address} an.",

  resetSubject: "Wähle ein neues Passwort",
  resetLead: "Jemand hat ein neues Passwort für dein Konto bei {sender} angefordert.",
  resetNote: "Falls du das nicht warst, ignoriere diese Nachricht: Dein Passwort bleibt, wie es ist.",

  loginCodeSubject: "Dein Code zur Anmeldung bei {app}",
  loginCodeLead: "Mit diesem Code meldest du dich bei {app} an:",
  loginCodeNote:
    "Gib den Code niemandem: Wer ihn hat, kann sich als du anmelden. Falls du dich nicht anmelden wolltest, ignoriere diese Nachricht.",
  loginCodeText: "{code} ist dein Code zur Anmeldung bei {app}. Gib ihn niemandem.",
  loginLinkLead: "Mit diesem Link meldest du dich bei {app} an.",
  loginLinkNote:
    "Gib den Link niemandem: Wer ihn hat, kann sich als du anmelden. Falls du dich nicht anmelden wolltest, ignoriere diese Nachricht.",
  loginLinkText: "Melde dich mit diesem Link bei {app} an. Gib ihn niemandem.",

  invitationSubject: "{inviter} lädt dich zu {organization} ein",
  invitationLead: "{inviter} lädt dich ein, {organization} beizutreten.",
  invitationNote: "Falls du nicht weißt, warum du diese Nachricht bekommst, tu nichts.",

  passwordChangedSubject: "Dein Passwort wurde geändert",
  passwordChangedLead: "Das Passwort deines Kontos bei {sender} wurde geändert.",
  passwordChangedNote:
    "Falls du das nicht warst, wähle sofort ein neues Passwort: Beginne eine Anmeldung und gib an, dass du das Passwort vergessen hast.",

  blockedSubject: "Zu viele falsche Passwörter für dein Konto",
  blockedLead:
    "Jemand hat falsche Passwörter für dein Konto bei {sender} probiert. Für einige Minuten kann sich niemand mit Passwort dort anmelden.",
  blockedNote:
    "Falls du das warst, warte ein wenig und versuche es noch einmal. Falls nicht: Niemand ist hineingekommen, und mit einem Passwort, das du sonst nirgends nutzt, bleibt es dabei.",

  newDeviceSubject: "Neue Anmeldung in deinem Konto",
  newDeviceLead: "Jemand hat sich in deinem Konto bei {sender} mit einem Gerät angemeldet, das bisher nicht benutzt wurde.",
  newDeviceNote: "Falls du das warst, ist nichts zu tun. Falls nicht, wähle sofort ein neues Passwort.",

  linkCodeSubject: "Dein Code zum Verknüpfen mit {provider}",
  linkCodeLead: "Mit diesem Code verknüpfst du {provider} mit deinem Konto bei {sender}:",
  linkCodeNote:
    "Danach kannst du dich auch mit {provider} anmelden. Falls du das nicht wolltest, ignoriere diese Nachricht und gib den Code niemandem.",

  accountLinkedSubject: "{provider} wurde mit deinem Konto verknüpft",
  accountLinkedLead: "Dein Konto bei {sender} lässt sich jetzt auch mit {provider} anmelden.",
  accountLinkedNote: "Falls du das warst, ist nichts zu tun. Falls nicht, wende dich sofort an {sender}.",

  accountExistsSubject: "Du hast schon ein Konto",
  accountExistsLead:
    "Jemand wollte sich mit dieser Adresse bei {sender} registrieren. Es gibt schon ein Konto von dir: Melde dich stattdessen an.",
  accountExistsNote:
    "Falls du das Passwort vergessen hast, wähle dort, wo du dich anmeldest, ein neues. Falls du das nicht warst, ignoriere diese Nachricht: Nichts hat sich geändert.",
};
