import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Dutch. */
export const nl: MailTexts = {
  direction: "ltr",

  codeOrLink: "Of gebruik deze link:",
  linkInstead: "Werkt de knop niet, kopieer dit adres dan naar uw browser:",
  footer: "Verzonden aan {address} door {sender}.",
  help: "Hulp",

  verifySubject: "Bevestig uw e-mailadres",
  verifyLead: "Bevestig dat {address} uw adres is, zodat {sender} weet dat dit account van u is.",
  verifyButton: "Adres bevestigen",
  verifyNote: "Hebt u geen account bij {sender}, negeer dit bericht dan.",

  welcomeSubject: "Welkom bij {sender}",
  welcomeLead: "Uw account bij {sender} is klaar. U logt in met {address}.",

  resetSubject: "Kies een nieuw wachtwoord",
  resetLead: "Iemand heeft een nieuw wachtwoord aangevraagd voor uw account bij {sender}.",
  resetButton: "Nieuw wachtwoord kiezen",
  resetNote: "Was u dat niet, negeer dit bericht dan: uw wachtwoord blijft zoals het is.",

  loginCodeSubject: "Uw code om in te loggen bij {app}",
  loginCodeLead: "Voer deze code in om in te loggen bij {app}:",
  loginCodeNote: "Geef de code aan niemand: wie hem heeft, kan als u inloggen. Wilde u niet inloggen, negeer dit bericht dan.",
  loginCodeText: "{code} is uw code om in te loggen bij {app}. Geef hem aan niemand.",
  loginLinkSubject: "Inloggen bij {app}",
  loginLinkLead: "Met deze link logt u in bij {app}.",
  loginLinkNote: "Geef de link aan niemand: wie hem heeft, kan als u inloggen. Wilde u niet inloggen, negeer dit bericht dan.",
  loginLinkText: "Log met deze link in bij {app}. Geef hem aan niemand.",
  loginButton: "Inloggen",

  invitationSubject: "{inviter} nodigt u uit voor {organization}",
  invitationLead: "{inviter} nodigt u uit om deel te nemen aan {organization}.",
  invitationButton: "Uitnodiging accepteren",
  invitationUntil: "De uitnodiging is geldig tot {time}.",
  invitationNote: "Weet u niet waarom u dit bericht krijgt, doe dan niets.",

  passwordChangedSubject: "Uw wachtwoord is gewijzigd",
  passwordChangedLead: "Het wachtwoord van uw account bij {sender} is gewijzigd.",
  passwordChangedNote:
    "Was u dat niet, kies dan meteen een nieuw wachtwoord: begin met inloggen en geef aan dat u het wachtwoord bent vergeten.",

  blockedSubject: "Te veel verkeerde wachtwoorden voor uw account",
  blockedLead:
    "Iemand heeft verkeerde wachtwoorden geprobeerd voor uw account bij {sender}. Een paar minuten lang kan niemand er met een wachtwoord inloggen.",
  blockedNote:
    "Was u dat, wacht dan even en probeer het opnieuw. Zo niet, dan is niemand binnengekomen; met een wachtwoord dat u nergens anders gebruikt, blijft dat zo.",

  newDeviceSubject: "Nieuwe inlog op uw account",
  newDeviceLead: "Iemand heeft op uw account bij {sender} ingelogd met een apparaat dat niet eerder is gebruikt.",
  newDeviceNote: "Was u dat, dan hoeft u niets te doen. Zo niet, kies dan meteen een nieuw wachtwoord.",

  linkCodeSubject: "Uw code om {provider} te koppelen",
  linkCodeLead: "Voer deze code in om {provider} aan uw account bij {sender} te koppelen:",
  linkCodeNote:
    "Daarna kunt u ook met {provider} inloggen. Hebt u hier niet om gevraagd, negeer dit bericht dan en geef de code aan niemand.",

  accountLinkedSubject: "{provider} is aan uw account gekoppeld",
  accountLinkedLead: "Met {provider} kan nu ook worden ingelogd op uw account bij {sender}.",
  accountLinkedNote: "Was u dat, dan hoeft u niets te doen. Zo niet, neem dan meteen contact op met {sender}.",

  accountExistsSubject: "U hebt al een account",
  accountExistsLead: "Iemand wilde zich met dit adres registreren bij {sender}. U hebt al een account: log daarmee in.",
  accountExistsNote:
    "Bent u het wachtwoord vergeten, kies dan een nieuw waar u inlogt. Was u dat niet, negeer dit bericht dan: er is niets veranderd.",

  factTime: "Tijd",
  factDevice: "Apparaat",
  factAddress: "Netwerkadres",
};
