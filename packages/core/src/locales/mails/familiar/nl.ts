import type { MailTexts } from "../texts.ts";

/** The Dutch texts for mails that differ with the familiar form of address, "je". */
export const nlFamiliarMails: Partial<MailTexts> = {
  linkInstead: "Werkt de knop niet, kopieer dit adres dan naar je browser:",

  verifySubject: "Bevestig je e-mailadres",
  verifyLead: "Bevestig dat {address} het e-mailadres van je account bij {sender} is.",
  verifyNote: "Heb je geen account bij {sender}, negeer dit bericht dan.",

  welcomeLead: "Je account bij {sender} is klaar. Log in met {address}.",
  testLead: "Je hebt deze e-mail op {time} gestuurd om de e-mailinstellingen van {sender} te testen.",

  resetLead: "We hebben een verzoek ontvangen om een nieuw wachtwoord voor je account bij {sender}.",
  resetNote: "Heb je dit niet aangevraagd, negeer dit bericht dan. Je wachtwoord blijft ongewijzigd.",

  loginCodeSubject: "Je code om in te loggen bij {app}",
  loginCodeNote:
    "Deel deze code met niemand. Iedereen die de code heeft, kan als jou inloggen. Wilde je niet inloggen, negeer dit bericht dan.",
  loginCodeText: "{code} is je code om in te loggen bij {app}. Deel de code met niemand.",
  loginLinkNote:
    "Deel deze link met niemand. Iedereen die de link heeft, kan als jou inloggen. Wilde je niet inloggen, negeer dit bericht dan.",

  invitationSubject: "{inviter} heeft je uitgenodigd voor {organization}",
  invitationLead: "{inviter} heeft je uitgenodigd voor {organization}.",
  invitationNote: "Had je deze uitnodiging niet verwacht, negeer dit bericht dan.",

  passwordChangedSubject: "Je wachtwoord is gewijzigd",
  passwordChangedLead: "Het wachtwoord van je account bij {sender} is gewijzigd.",
  passwordChangedNote: "Was jij dat niet, kies dan meteen een nieuw wachtwoord: begin met inloggen en kies ‘Wachtwoord vergeten?’.",

  blockedSubject: "Te veel onjuiste wachtwoorden voor je account",
  blockedLead:
    "Er is te vaak met een onjuist wachtwoord geprobeerd in te loggen op je account bij {sender}. Inloggen met een wachtwoord is een paar minuten geblokkeerd.",
  blockedNote:
    "Was jij dat, wacht dan een paar minuten en probeer het opnieuw. Zo niet, dan zijn de pogingen mislukt. Een wachtwoord dat je nergens anders gebruikt, beschermt je account.",

  newDeviceSubject: "Nieuwe inlogactie op je account",
  newDeviceLead: "Er is vanaf een nieuw apparaat ingelogd op je account bij {sender}.",
  newDeviceNote: "Was jij dat, dan hoef je niets te doen. Zo niet, kies dan meteen een nieuw wachtwoord.",

  factorCodeSubject: "Je verificatiecode voor {app}",
  factorCodeNote: "Deel deze code niet. Probeerde je niet in te loggen, dan kent iemand je wachtwoord: kies een nieuw wachtwoord.",
  factorCodeText: "{code} is je verificatiecode voor {app}. Deel de code niet.",
  factorCodeSpoken: "Je verificatiecode voor {app} is {code}. Nogmaals: {code}. Deel de code niet.",
  factorAddedSubject: "Er is een inlogmethode aan je account toegevoegd",
  factorAddedLead: "De verificatie in twee stappen voor je account bij {sender} heeft nu nog een methode: {factor}.",
  factorRemovedSubject: "Er is een inlogmethode uit je account verwijderd",
  factorRemovedLead: "De verificatie in twee stappen voor je account bij {sender} heeft deze methode niet meer: {factor}.",
  factorUpdatedSubject: "Een inlogmethode van je account is gewijzigd",
  factorUpdatedLead: "Bij de verificatie in twee stappen voor je account bij {sender} is deze methode gewijzigd: {factor}.",
  factorChangedNote:
    "Was jij dat, dan hoef je niets te doen. Zo niet, kies dan meteen een nieuw wachtwoord en neem contact op met {sender}.",
  factorReplacedSubject: "Een inlogmethode van je account is vervangen",
  factorReplacedLead:
    "Deze methode van de verificatie in twee stappen voor je account bij {sender} is vervangen: {factor}. De vorige werkt niet meer.",

  enrollSubject: "Stel verificatie in twee stappen in voor je account",
  enrollLead: "Voeg een extra manier toe om je aanmelding bij {sender} te bevestigen.",
  enrollNote: "De link is vijf dagen geldig en kan één keer worden gebruikt. Heb je geen account bij {sender}, negeer dit bericht dan.",
  factorAdministratorNote: "Een beheerder heeft deze wijziging aangebracht. Had je deze niet verwacht, neem dan contact op met {sender}.",
  factorLockedSubject: "Te veel onjuiste codes voor je account",
  factorLockedLead:
    "Iemand heeft je wachtwoord voor {sender} ingevoerd en daarna te veel onjuiste codes. Deze methode van de verificatie in twee stappen is een paar minuten geblokkeerd.",
  factorLockedNote: "Was jij dat, wacht dan een paar minuten of gebruik een andere methode. Zo niet, kies dan meteen een nieuw wachtwoord.",

  deletionSubject: "Je account wordt verwijderd",
  deletionReminderSubject: "Je account wordt binnenkort verwijderd",
  deletionLead: "Je account bij {sender} wordt op {time} verwijderd, omdat je daarom hebt gevraagd.",
  deletionNote: "Was jij dat niet, log dan nu in, houd het account en kies een nieuw wachtwoord.",

  linkCodeSubject: "Je code om {provider} te koppelen",
  linkCodeLead: "Voer deze code in om {provider} aan je account bij {sender} te koppelen:",
  linkCodeNote:
    "Daarna kun je ook met {provider} inloggen. Heb je hier niet om gevraagd, negeer dit bericht dan en deel de code met niemand.",

  accountLinkedSubject: "{provider} is aan je account gekoppeld",
  accountLinkedLead: "Je kunt nu ook met {provider} inloggen op je account bij {sender}.",
  accountLinkedNote: "Was jij dat, dan hoef je niets te doen. Zo niet, neem dan meteen contact op met {sender}.",

  accountExistsSubject: "Je hebt al een account",
  accountExistsLead: "Er is geprobeerd om met dit adres een account aan te maken bij {sender}. Je hebt al een account: log daarmee in.",
  accountExistsNote:
    "Ben je je wachtwoord vergeten, dan kun je bij het inloggen een nieuw kiezen. Was jij dat niet, negeer dit bericht dan. Er is niets veranderd.",
};
