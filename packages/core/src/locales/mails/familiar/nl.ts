import type { MailTexts } from "../texts.ts";

/** What mails and text messages say in other words where people are addressed familiarly in Dutch. */
export const nlFamiliar: Partial<MailTexts> = {
  linkInstead: "Werkt de knop niet, kopieer dit adres dan naar je browser:",

  verifySubject: "Bevestig je e-mailadres",
  verifyLead: "Bevestig dat {address} jouw adres is, zodat {sender} weet dat dit account van jou is.",
  verifyNote: "Heb je geen account bij {sender}, negeer dit bericht dan.",

  welcomeLead: "Je account bij {sender} is klaar. Je logt in met {address}.",

  resetLead: "Iemand heeft een nieuw wachtwoord aangevraagd voor je account bij {sender}.",
  resetNote: "Was jij dat niet, negeer dit bericht dan: je wachtwoord blijft zoals het is.",

  loginCodeSubject: "Je code om in te loggen bij {app}",
  loginCodeNote: "Geef de code aan niemand: wie hem heeft, kan als jou inloggen. Wilde je niet inloggen, negeer dit bericht dan.",
  loginCodeText: "{code} is je code om in te loggen bij {app}. Geef hem aan niemand.",
  loginLinkLead: "Met deze link log je in bij {app}.",
  loginLinkNote: "Geef de link aan niemand: wie hem heeft, kan als jou inloggen. Wilde je niet inloggen, negeer dit bericht dan.",

  invitationSubject: "{inviter} nodigt je uit voor {organization}",
  invitationLead: "{inviter} nodigt je uit om deel te nemen aan {organization}.",
  invitationNote: "Weet je niet waarom je dit bericht krijgt, doe dan niets.",

  passwordChangedSubject: "Je wachtwoord is gewijzigd",
  passwordChangedLead: "Het wachtwoord van je account bij {sender} is gewijzigd.",
  passwordChangedNote:
    "Was jij dat niet, kies dan meteen een nieuw wachtwoord: begin met inloggen en geef aan dat je het wachtwoord bent vergeten.",

  blockedSubject: "Te veel verkeerde wachtwoorden voor je account",
  blockedLead:
    "Iemand heeft verkeerde wachtwoorden geprobeerd voor je account bij {sender}. Een paar minuten lang kan niemand er met een wachtwoord inloggen.",
  blockedNote:
    "Was jij dat, wacht dan even en probeer het opnieuw. Zo niet, dan is niemand binnengekomen; met een wachtwoord dat je nergens anders gebruikt, blijft dat zo.",

  newDeviceSubject: "Nieuwe inlog op je account",
  newDeviceLead: "Iemand heeft op je account bij {sender} ingelogd met een apparaat dat niet eerder is gebruikt.",
  newDeviceNote: "Was jij dat, dan hoef je niets te doen. Zo niet, kies dan meteen een nieuw wachtwoord.",

  linkCodeSubject: "Je code om {provider} te koppelen",
  linkCodeLead: "Voer deze code in om {provider} aan je account bij {sender} te koppelen:",
  linkCodeNote:
    "Daarna kun je ook met {provider} inloggen. Heb je hier niet om gevraagd, negeer dit bericht dan en geef de code aan niemand.",

  accountLinkedSubject: "{provider} is aan je account gekoppeld",
  accountLinkedLead: "Met {provider} kan nu ook worden ingelogd op je account bij {sender}.",
  accountLinkedNote: "Was jij dat, dan hoef je niets te doen. Zo niet, neem dan meteen contact op met {sender}.",

  accountExistsSubject: "Je hebt al een account",
  accountExistsLead: "Iemand wilde zich met dit adres registreren bij {sender}. Je hebt al een account: log daarmee in.",
  accountExistsNote:
    "Ben je het wachtwoord vergeten, kies dan een nieuw waar je inlogt. Was jij dat niet, negeer dit bericht dan: er is niets veranderd.",
};
