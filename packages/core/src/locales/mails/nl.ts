import type { MailTexts } from "./texts.ts";

/** The Dutch texts for mails and text messages. */
export const nlMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "Of gebruik deze link:",
  linkInstead: "Werkt de knop niet, kopieer dit adres dan naar uw browser:",
  footer: "Verzonden aan {address} door {sender}.",
  help: "Hulp",

  verifySubject: "Bevestig uw e-mailadres",
  verifyLead: "Bevestig dat {address} het e-mailadres van uw account bij {sender} is.",
  verifyButton: "Adres bevestigen",
  verifyNote: "Hebt u geen account bij {sender}, negeer dit bericht dan.",

  welcomeSubject: "Welkom bij {sender}",
  welcomeLead: "Uw account bij {sender} is klaar. Log in met {address}.",

  testSubject: "Testmail van {sender}",
  testLead: "U hebt deze e-mail op {time} gestuurd om de e-mailinstellingen van {sender} te testen.",

  resetSubject: "Kies een nieuw wachtwoord",
  resetLead: "We hebben een verzoek ontvangen om een nieuw wachtwoord voor uw account bij {sender}.",
  resetButton: "Nieuw wachtwoord kiezen",
  resetNote: "Hebt u dit niet aangevraagd, negeer dit bericht dan. Uw wachtwoord blijft ongewijzigd.",

  enrollSubject: "Stel verificatie in twee stappen in voor uw account",
  enrollLead: "Voeg een extra manier toe om uw aanmelding bij {sender} te bevestigen.",
  enrollButton: "Instellen",
  enrollNote: "De link is vijf dagen geldig en kan één keer worden gebruikt. Hebt u geen account bij {sender}, negeer dit bericht dan.",

  loginCodeSubject: "Uw code om in te loggen bij {app}",
  loginCodeLead: "Voer deze code in om in te loggen bij {app}:",
  loginCodeNote:
    "Deel deze code met niemand. Iedereen die de code heeft, kan als u inloggen. Wilde u niet inloggen, negeer dit bericht dan.",
  loginCodeText: "{code} is uw code om in te loggen bij {app}. Deel de code met niemand.",
  loginLinkSubject: "Inloggen bij {app}",
  loginLinkLead: "Gebruik deze link om in te loggen bij {app}.",
  loginLinkNote:
    "Deel deze link met niemand. Iedereen die de link heeft, kan als u inloggen. Wilde u niet inloggen, negeer dit bericht dan.",
  loginLinkText: "Log met deze link in bij {app}. Deel de link met niemand.",
  loginButton: "Inloggen",

  invitationSubject: "{inviter} heeft u uitgenodigd voor {organization}",
  invitationLead: "{inviter} heeft u uitgenodigd voor {organization}.",
  invitationButton: "Uitnodiging accepteren",
  invitationUntil: "De uitnodiging is geldig tot {time}.",
  invitationNote: "Had u deze uitnodiging niet verwacht, negeer dit bericht dan.",

  passwordChangedSubject: "Uw wachtwoord is gewijzigd",
  passwordChangedLead: "Het wachtwoord van uw account bij {sender} is gewijzigd.",
  passwordChangedNote: "Was u dat niet, kies dan meteen een nieuw wachtwoord: begin met inloggen en kies ‘Wachtwoord vergeten?’.",

  blockedSubject: "Te veel onjuiste wachtwoorden voor uw account",
  blockedLead:
    "Er is te vaak met een onjuist wachtwoord geprobeerd in te loggen op uw account bij {sender}. Inloggen met een wachtwoord is een paar minuten geblokkeerd.",
  blockedNote:
    "Was u dat, wacht dan een paar minuten en probeer het opnieuw. Zo niet, dan zijn de pogingen mislukt. Een wachtwoord dat u nergens anders gebruikt, beschermt uw account.",

  newDeviceSubject: "Nieuwe inlogactie op uw account",
  newDeviceLead: "Er is vanaf een nieuw apparaat ingelogd op uw account bij {sender}.",
  newDeviceNote: "Was u dat, dan hoeft u niets te doen. Zo niet, kies dan meteen een nieuw wachtwoord.",

  factorCodeSubject: "Uw verificatiecode voor {app}",
  factorCodeLead: "Voer deze code in om het inloggen bij {app} te voltooien:",
  factorCodeNote: "Deel deze code niet. Probeerde u niet in te loggen, dan kent iemand uw wachtwoord: kies een nieuw wachtwoord.",
  factorCodeText: "{code} is uw verificatiecode voor {app}. Deel de code niet.",
  factorCodeSpoken: "Uw verificatiecode voor {app} is {code}. Nogmaals: {code}. Deel de code niet.",
  factorTotp: "authenticator-app",
  factorPhone: "telefoon",
  factorEmail: "e-mailadres",
  factorRecoveryCode: "herstelcode",
  factorSecurityKey: "beveiligingssleutel",
  factorDevice: "apparaat",
  factorPasskey: "passkey",
  factorAddedSubject: "Er is een inlogmethode aan uw account toegevoegd",
  factorAddedLead: "De verificatie in twee stappen voor uw account bij {sender} heeft nu nog een methode: {factor}.",
  factorRemovedSubject: "Er is een inlogmethode uit uw account verwijderd",
  factorRemovedLead: "De verificatie in twee stappen voor uw account bij {sender} heeft deze methode niet meer: {factor}.",
  factorUpdatedSubject: "Een inlogmethode van uw account is gewijzigd",
  factorUpdatedLead: "Bij de verificatie in twee stappen voor uw account bij {sender} is deze methode gewijzigd: {factor}.",
  factorChangedNote: "Was u dat, dan hoeft u niets te doen. Zo niet, kies dan meteen een nieuw wachtwoord en neem contact op met {sender}.",
  factorReplacedSubject: "Een inlogmethode van uw account is vervangen",
  factorReplacedLead:
    "Deze methode van de verificatie in twee stappen voor uw account bij {sender} is vervangen: {factor}. De vorige werkt niet meer.",
  factorUndoButton: "Dit was ik niet",
  factorUndoNote: "De knop logt het account overal uit en onderbreekt wijzigingen van inlogmethoden 24 uur lang. De knop werkt 7 dagen.",

  factorAdministratorNote: "Een beheerder heeft deze wijziging aangebracht. Had u deze niet verwacht, neem dan contact op met {sender}.",
  factorLockedSubject: "Te veel onjuiste codes voor uw account",
  factorLockedLead:
    "Iemand heeft uw wachtwoord voor {sender} ingevoerd en daarna te veel onjuiste codes. Deze methode van de verificatie in twee stappen is een paar minuten geblokkeerd.",
  factorLockedNote: "Was u dat, wacht dan een paar minuten of gebruik een andere methode. Zo niet, kies dan meteen een nieuw wachtwoord.",

  deletionSubject: "Uw account wordt verwijderd",
  deletionReminderSubject: "Uw account wordt binnenkort verwijderd",
  deletionLead: "Uw account bij {sender} wordt op {time} verwijderd, omdat u daarom hebt gevraagd.",
  deletionKeep: "Log eerder in om het account te houden.",
  deletionNote: "Was u dat niet, log dan nu in, houd het account en kies een nieuw wachtwoord.",

  linkCodeSubject: "Uw code om {provider} te koppelen",
  linkCodeLead: "Voer deze code in om {provider} aan uw account bij {sender} te koppelen:",
  linkCodeNote:
    "Daarna kunt u ook met {provider} inloggen. Hebt u hier niet om gevraagd, negeer dit bericht dan en deel de code met niemand.",

  accountLinkedSubject: "{provider} is aan uw account gekoppeld",
  accountLinkedLead: "U kunt nu ook met {provider} inloggen op uw account bij {sender}.",
  accountLinkedNote: "Was u dat, dan hoeft u niets te doen. Zo niet, neem dan meteen contact op met {sender}.",

  accountExistsSubject: "U hebt al een account",
  accountExistsLead: "Er is geprobeerd om met dit adres een account aan te maken bij {sender}. U hebt al een account: log daarmee in.",
  accountExistsNote:
    "Bent u uw wachtwoord vergeten, dan kunt u bij het inloggen een nieuw kiezen. Was u dat niet, negeer dit bericht dan. Er is niets veranderd.",

  addressCodeSubject: "Code om dit adres te bevestigen bij {sender}",
  addressCodeLead: "Met deze code wordt dit adres gebruikt voor het account bij {sender}:",
  addressCodeNote: "Deel deze code niet. Niet aangevraagd? Dan kan dit bericht worden genegeerd.",
  addressCodeText: "{code} is de code om dit nummer te gebruiken bij {sender}. Deel de code niet.",
  addressInUseSubject: "Dit adres is al in gebruik",
  addressInUseLead: "Een ander account bij {sender} zou dit adres krijgen. Het hoort al bij een account, dus er is niets gewijzigd.",
  addressInUseNote: "Was dit de bedoeling, log dan in met dit adres. Zo niet, dan kan dit bericht worden genegeerd.",
  emailChangedSubject: "Het e-mailadres is gewijzigd",
  emailChangedLead: "Het e-mailadres van het account bij {sender} is gewijzigd.",
  phoneChangedSubject: "Het telefoonnummer is gewijzigd",
  phoneChangedLead: "Het telefoonnummer van het account bij {sender} is gewijzigd.",
  usernameChangedSubject: "De gebruikersnaam is gewijzigd",
  usernameChangedLead: "De gebruikersnaam van het account bij {sender} is gewijzigd.",
  accountAddedSubject: "Een account is gekoppeld",
  accountAddedLead: "Met een ander account kan nu worden ingelogd op het account bij {sender}.",
  accountUnlinkedSubject: "Een account is ontkoppeld",
  accountUnlinkedLead: "Met een gekoppeld account kan niet meer worden ingelogd op het account bij {sender}.",
  accountChangedNote: "Was dit de bedoeling, dan is er niets nodig. Zo niet, gebruik dan direct de knop en neem contact op met {sender}.",
  factTime: "Tijd",
  factDevice: "Apparaat",
  factAddress: "IP-adres",
};
