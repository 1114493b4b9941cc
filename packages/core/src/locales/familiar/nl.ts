import type { Messages } from "../messages.ts";

/** The Dutch texts for pages that differ with the familiar form of address, "je". */
export const nlFamiliar: Partial<Messages> = {
  againTitle: "Bevestig wie je bent",
  identifierLeadPlain: "met je account bij {tenant}",

  passwordTitle: "Voer je wachtwoord in",

  signUpTitle: "Maak je account aan",
  signUpHave: "Heb je al een account?",
  phoneMalformed: "Voer je telefoonnummer in met + en de landcode.",
  phoneUsed: "Je hebt je met dit nummer aangemeld. Voeg een ander nummer toe.",
  accountTaken: "We kunnen met deze gegevens geen account aanmaken. Log in als je al een account hebt.",

  codeTitleEmail: "Controleer je e-mail",
  codeTitleSms: "Controleer je berichten",
  codeMissing: "Voer de code in die we je hebben gestuurd.",

  factorTitlePhone: "Controleer je berichten",
  factorAddedElsewhere: "Er is zojuist een andere methode aan je account toegevoegd. Gebruik die methode om door te gaan.",
  factorTitleEmail: "Controleer je e-mail",
  factorTitleRecovery: "Voer je herstelcode in",
  factorTitleKey: "Gebruik je beveiligingssleutel",
  factorTitlePasskey: "Gebruik je passkey",
  factorLeadTotp: "Open je authenticator-app en voer de 6-cijferige code voor {tenant} in.",
  factorLeadRecovery:
    "Voer de herstelcode in die je hebt bewaard toen je verificatie in twee stappen instelde. Je kunt de code één keer gebruiken.",
  factorLeadKey: "Bevestig je identiteit met je beveiligingssleutel.",
  factorLeadPasskey: "Bevestig je identiteit met je vingerafdruk, gezicht of schermvergrendeling.",
  factorLocked:
    "Te veel mislukte pogingen. Vanaf {time} kun je het op deze manier opnieuw proberen. Kies tot dan zo mogelijk een andere manier.",

  addFactorLead: "{tenant} vereist een tweede stap om in te loggen. Kies hoe je je identiteit wilt bevestigen.",
  addFactorPhoneHint: "Codes die we naar je telefoon sturen",
  webauthnAddLead: "Je browser vraagt om je beveiligingssleutel. Volg de aanwijzingen.",
  webauthnWaiting: "Je browser wacht op je passkey of beveiligingssleutel. Volg de aanwijzingen of kies zo mogelijk een andere manier.",
  webauthnUnavailable: "Je sleutel werkt niet op dit webadres. Kies zo mogelijk een andere manier.",

  newPasskeyLead: "Log in met je vingerafdruk, gezicht of schermvergrendeling. Je hebt geen wachtwoord nodig.",
  addPasskeyLead:
    "Maak een passkey en log de volgende keer in met je vingerafdruk, gezicht of schermvergrendeling. Je wachtwoord blijft werken.",
  addPasskeyDeviceLead:
    "Je bent ingelogd met de passkey van een ander apparaat. Met een passkey op dit apparaat heb je het andere de volgende keer niet nodig.",

  addTotpTitle: "Stel je authenticator-app in",
  addTotpLead: "Voeg je account toe aan een authenticator-app. Voer daarna de code in die de app toont.",
  addTotpQr: "QR-code voor je authenticator-app",
  addPhoneTitle: "Voeg je telefoon toe",

  addFactorFrozen:
    "Je hebt gemeld dat je een wijziging van je inlogmethoden niet hebt gedaan. Daarom kan er 24 uur lang geen worden toegevoegd, en zonder tweede stap kun je niet inloggen. Probeer het later opnieuw of neem contact op met de klantenservice.",
  securityMethods: "Je inlogmethoden",
  securityNone: "Je hebt nog geen tweede stap. Met een tweede stap is een gestolen wachtwoord niet genoeg om in te loggen.",
  securityAddLead: "Kies hoe je bij het inloggen je identiteit wilt bevestigen.",
  securityRecoverySet: "Je hebt een herstelcode. Ben je die kwijt, maak dan een nieuwe.",
  securityRecoveryNone: "Met een herstelcode kun je één keer inloggen als je je andere methoden kwijtraakt.",
  securityRenameLead: "Kies een naam waaraan je de methode herkent: {name}",
  securityRemoveLead: "Hiermee kun je je identiteit dan niet meer bevestigen: {name}",
  securityRemoveLast: "Dit is je enige tweede stap. Zonder deze stap vragen we er bij het inloggen niet meer om.",
  securityRequiredLead: "{tenant} vereist een tweede stap. Voeg eerst een andere methode toe voordat je deze verwijdert.",
  securityFrozenLead:
    "Je hebt gemeld dat je een wijziging niet hebt gedaan. Daarom kunnen inlogmethoden 24 uur lang niet worden gewijzigd. Je kunt er nog wel mee inloggen.",
  securityAgainLead:
    "Om inlogmethoden te wijzigen, moet je in de afgelopen 15 minuten zijn ingelogd. Log hier uit en log daarna weer in via de app.",
  securityUnavailableLead:
    "Geen van je inlogmethoden werkt hier op dit moment. Daarom kunnen ze niet worden gewijzigd. Neem contact op met de klantenservice.",
  undoLead: "Ga door als je de gemelde wijziging van je account bij {tenant} niet hebt gedaan.",
  undoSignsOut: "Je wordt overal uitgelogd.",
  undoNote: "De inlogmethoden blijven zoals ze zijn. Is er een niet van jou, neem dan contact op met de klantenservice.",
  undoDoneTitle: "Je account is beschermd",
  undoDoneLead:
    "Je bent overal uitgelogd, en inlogmethoden kunnen 24 uur lang niet worden gewijzigd. Kies nu een nieuw wachtwoord. Is een methode niet van jou, neem dan contact op met de klantenservice.",
  undoRemainsTitle: "Controleer je inlogmethoden",
  undoRemainsLead:
    "Je bent overal uitgelogd, en inlogmethoden kunnen 24 uur lang niet worden gewijzigd. Maar een methode die pas is toegevoegd of vervangen, werkt nog. Is die niet van jou, neem dan contact op met de klantenservice. Kies nu een nieuw wachtwoord.",
  undoExpiredLead: "Herken je een wijziging van je account niet, kies dan een nieuw wachtwoord en neem contact op met de klantenservice.",

  recoveryTitle: "Bewaar je herstelcode",
  recoveryLead:
    "Als je je andere methoden kwijtraakt, kun je met deze code één keer inloggen. Schrijf de code op of bewaar deze op een veilige plek. We tonen de code niet nog eens.",
  recoverySpentTitle: "Bewaar je nieuwe herstelcode",
  recoveryReplace:
    "Ben je een methode kwijt, vervang die dan in de instellingen voor inlogbeveiliging: voeg een nieuwe toe en verwijder de oude.",
  recoveryLabel: "Je herstelcode",

  resetLead: "We sturen je een code en een link om een nieuw wachtwoord te kiezen.",
  newPasswordNote: "Je wordt op alle andere apparaten uitgelogd.",

  identifierMissing: "Voer je e-mailadres, gebruikersnaam of telefoonnummer in.",
  missingEmail: "Voer je e-mailadres in.",
  missingUsername: "Voer je gebruikersnaam in.",
  missingPhone: "Voer je telefoonnummer in.",
  missingEmailUsername: "Voer je e-mailadres of gebruikersnaam in.",
  missingEmailPhone: "Voer je e-mailadres of telefoonnummer in.",
  missingUsernamePhone: "Voer je gebruikersnaam of telefoonnummer in.",
  passwordMissing: "Voer je wachtwoord in.",

  consentTitle: "Mag {client} je account gebruiken?",
  consentAccount: "Je bent ingelogd als {account}",
  consentActs: "{client} mag bij {audience} namens je handelen, ook op verzoek van andere apps.",
  consentNothing: "{client} wil alleen bevestigen dat jij het bent.",
  consentNotYou: "Niet jij?",
  consentNotYouName: "Niet jij? Een ander account gebruiken",
  consentTrust: "Daarna ga je terug naar {destination}. Sta dit alleen toe als je {client} vertrouwt.",
  consentAppTitle: "Mag deze app je account gebruiken?",
  consentAppNothing: "De app wil alleen bevestigen dat jij het bent.",
  consentReturn: "Daarna ga je terug naar",
  consentUnchecked: "Niemand heeft de naam van de app gecontroleerd. Sta dit alleen toe als je er zelf mee bent begonnen.",
  deviceLead: "Voer de code in die je apparaat toont.",
  deviceCodeWrong: "Deze code is onjuist of verlopen. Controleer de code op je apparaat of vraag daar een nieuwe aan.",
  deviceNote: "Heeft iemand je deze code gestuurd? Voer de code dan niet in.",
  deviceConfirmTitle: "Op je apparaat inloggen bij {client}?",
  deviceConfirmLead: "Controleer of je apparaat deze code toont:",
  deviceOtherNetwork: "Het apparaat gebruikt een ander netwerk dan deze browser. Ga alleen verder als je weet waarom.",
  deviceConfirmNote:
    "Ga alleen verder als je hier zelf mee bent begonnen, op een apparaat dat voor je staat. Iedereen met het apparaat kan je account gebruiken.",
  deviceApprovedLead: "Ga verder op je apparaat. Je kunt deze pagina sluiten.",
  deviceDeniedLead: "Je kunt deze pagina sluiten. Ben je hier niet zelf mee begonnen? Dan wilde iemand misschien toegang tot je account.",
  deviceLostLead: "Begin opnieuw op je apparaat om een nieuwe code te krijgen.",
  scopeOpenid: "Bevestigen dat jij het bent",
  scopeProfile: "Je naam, foto en andere profielgegevens bekijken",
  scopeEmail: "Je e-mailadres bekijken",
  scopePhone: "Je telefoonnummer bekijken",
  scopeAddress: "Je postadres bekijken",
  scopeOfflineAccess: "Deze toegang behouden als je er niet bent",

  invitationLead: "{inviter} heeft je uitgenodigd voor {organization}.",

  createAccountTitle: "Maak je account aan",
  passwordPersonal: "Dit wachtwoord bevat je naam of adres. Kies een ander.",
  passwordLeaked: "Dit wachtwoord is gelekt bij een andere dienst. Kies een wachtwoord dat je nergens anders gebruikt.",

  linkConfirmTitle: "Bevestig je e-mailadres",
  linkConfirmLead: "Je account bij {tenant} gebruikt dit adres. Bevestig dat het van jou is.",
  linkAskTitle: "Heb jij dit account aangemaakt?",
  linkAskLead: "Een account bij {tenant} gebruikt jouw adres.",
  linkAskNote:
    "Heb je het niet aangemaakt, kies dan ‘Nee’. Het wachtwoord van het account werkt dan niet meer, en de persoon die het heeft aangemaakt wordt uitgelogd.",
  linkVerifiedTitle: "Je adres is bevestigd",
  linkVerifiedLead: "Je kunt verdergaan in de app.",
  linkDisownedLead: "Het wachtwoord van dit account werkt niet meer. Wil je het account zelf gebruiken, stel dan een nieuw wachtwoord in.",
  passwordFormer: "Je hebt dit wachtwoord al eerder gebruikt. Kies een ander.",
  linkChangedTitle: "Je wachtwoord is gewijzigd",
  linkChangedLead: "Je bent overal uitgelogd. Log in met je nieuwe wachtwoord.",
  linkUsedLead: "Hiermee is een wachtwoord ingesteld. Was jij dat, open dan de app en log in. Vraag anders een nieuwe link aan.",
  linkSentTitle: "Controleer je e-mail",
  linkSentLead:
    "Als je een account hebt, hebben we je een link gestuurd om een nieuw wachtwoord te kiezen. De link is een uur geldig. Komt er niets aan, kijk dan in je spammap of probeer het opnieuw.",
  linkExpiredLead: "Links in e-mails zijn beperkt geldig. We kunnen je een nieuwe sturen.",
  linkRequestLead: "Voer je gegevens in. We sturen een link om een nieuw wachtwoord te kiezen naar het e-mailadres van je account.",

  linkCodeLead: "Met deze link log je in deze browser in.",
  linkCodeElsewhere: "Je bent in een andere browser begonnen. Voer daar de code uit het bericht in als je daar wilt inloggen.",
  linkCodeNote: "Heb je deze link niet aangevraagd, of is dit adres niet van jou, sluit dan deze pagina.",
  linkFactorRequired:
    "Je account gebruikt verificatie in twee stappen, dus met deze link kun je hier niet inloggen. Open de link in de browser waarin je bent begonnen, of voer daar de code uit het bericht in.",

  logoutLead: "Je wordt in deze browser uitgelogd bij {tenant}.",

  loggedOutTitle: "Je bent uitgelogd",
  loggedOutLead: "Je kunt deze pagina nu sluiten.",

  noLoginLead:
    "Je kunt niet rechtstreeks vanaf dit adres inloggen. Misschien is het een bladwijzer. Open de app die je wilt gebruiken en log daar in.",
  cookiesTitle: "Je browser heeft een cookie geblokkeerd",
  cookiesLead:
    "Deze pagina heeft een cookie nodig om je browser te herkennen. Sta cookies voor deze site toe, ga dan terug naar de app en begin opnieuw. Een privévenster of een andere browser werkt ook.",
  invitationExpiredLead: "Vraag de persoon die je heeft uitgenodigd om een nieuwe uitnodiging.",
  invitationUsedLead: "Was jij dat, open dan de app en log in. Vraag anders de persoon die je heeft uitgenodigd om een nieuwe uitnodiging.",
  invitationWithdrawnLead: "Vraag de persoon die je heeft uitgenodigd of je nog kunt deelnemen.",
  noConnectionLead:
    "Inloggen bij apps die zichzelf registreren, is hier niet ingesteld. Heb je deze app nodig, neem dan contact op met de helpdesk.",

  wrongCredentialsOrReset: "E-mailadres of wachtwoord onjuist. Probeer het opnieuw of stel je wachtwoord opnieuw in.",
  tooManyAttemptsOrReset: "Te veel pogingen. Probeer het over 5 minuten opnieuw of stel je wachtwoord opnieuw in.",
  providerDeclined: "Je hebt het inloggen niet afgerond. Probeer het opnieuw of kies een andere optie.",
  noAccountHere: "Je hebt nog geen account en kunt er op deze manier geen aanmaken. Log op een andere manier in.",
  linkAccountLead: "Je hebt al een account met {email}. Log één keer in om het aan {provider} te koppelen.",
  linkAccountFailed:
    "Dit account bij {provider} kan niet aan je bestaande account worden gekoppeld. Je kunt het als apart account gebruiken.",
  answeredLead: "Je hoeft hier niets meer te doen. Ga verder in de app.",
  noUsableFactorLead:
    "Geen van je methoden voor verificatie in twee stappen is nu bruikbaar. Probeer het later opnieuw of neem contact op met de helpdesk.",
  enrolledLead: "Vanaf nu kun je het inloggen zo bevestigen. Je kunt deze pagina sluiten.",
};
