import type { Messages } from "../messages.ts";

/** Dutch that says "je". */
export const nlFamiliar: Partial<Messages> = {
  againTitle: "Bevestig wie je bent",
  identifierLeadPlain: "met je account bij {tenant}",

  passwordTitle: "Voer je wachtwoord in",
  passwordChangeName: "Wijzigen met welk account je inlogt",

  addressInvalid: "Naar dat adres kan geen code worden gestuurd. Controleer of je het goed hebt getypt.",

  signUpTitle: "Maak je account aan",
  signUpHave: "Heb je al een account?",
  emailMalformed: "Dat is geen e-mailadres. Controleer of je het goed hebt getypt.",
  phoneMalformed: "Voer je telefoonnummer in met + en de landcode.",
  accountTaken: "Met deze gegevens kan geen account worden aangemaakt. Log in als je er een hebt.",

  codeTitleEmail: "Kijk in je e-mail",
  codeTitleSms: "Kijk in je berichten",
  codeMissing: "Voer de code in die we je hebben gestuurd.",

  resetLead: "We sturen je een code en een link om een nieuw wachtwoord in te stellen.",
  newPasswordNote: "Overal elders word je uitgelogd.",

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
  consentNothing: "{client} wil alleen weten dat jij het bent.",
  consentNotYou: "Niet jij?",
  consentNotYouName: "Niet jij? Een ander account gebruiken",
  consentTrust: "Daarna keer je terug naar {destination}. Sta dit alleen toe als je {client} vertrouwt.",
  scopeOpenid: "Weten dat jij het bent",
  scopeProfile: "Je naam, foto en andere profielgegevens bekijken",
  scopeEmail: "Je e-mailadres bekijken",
  scopePhone: "Je telefoonnummer bekijken",
  scopeAddress: "Je postadres bekijken",
  scopeOfflineAccess: "Deze toegang houden als je er niet bent",

  invitationLead: "{inviter} nodigt je uit voor {organization}.",

  createAccountTitle: "Maak je account aan",
  createAccountOtherName: "Wijzigen: inloggen met een account dat je al hebt",
  passwordPersonal: "Je naam of adres zit in dat wachtwoord. Kies een ander.",
  passwordLeaked: "Dat wachtwoord is bekend uit een datalek bij een andere dienst. Kies er een dat je nergens anders gebruikt.",

  linkConfirmTitle: "Bevestig je e-mailadres",
  linkConfirmLead: "Je account bij {tenant} heeft dit adres. Bevestig dat het van jou is.",
  linkAskTitle: "Heb jij dit account aangemaakt?",
  linkAskLead: "Er is een account bij {tenant} met jouw adres.",
  linkAskNote:
    "Is het niet van jou, dan heeft iemand anders het met jouw adres aangemaakt. Meld het, dan kan die persoon het niet meer gebruiken: het wachtwoord werkt niet meer en de persoon wordt uitgelogd.",
  linkVerifiedTitle: "Je adres is bevestigd",
  linkVerifiedLead: "Je kunt verder in de app.",
  linkDisownedLead: "Niemand kan nog inloggen op dit account. Wil je het zelf gebruiken, stel dan een wachtwoord in.",
  passwordFormer: "Dat wachtwoord heb je al eens gebruikt. Kies een ander.",
  linkChangedTitle: "Je wachtwoord is gewijzigd",
  linkChangedLead: "Je bent overal uitgelogd. Log in met je nieuwe wachtwoord.",
  linkUsedLead: "Er is een wachtwoord mee ingesteld. Was jij dat, open dan de app en log in. Vraag anders een nieuwe link aan.",
  linkSentTitle: "Kijk in je e-mail",
  linkSentLead:
    "Als we je kennen, is er een link voor een nieuw wachtwoord onderweg. Hij werkt een uur. Komt er niets aan, kijk dan in je spammap of probeer het opnieuw.",
  linkExpiredLead: "Links in e-mails werken maar een beperkte tijd. We kunnen je een nieuwe sturen.",
  linkRequestLead: "Vertel ons wie je bent. We sturen een link voor een nieuw wachtwoord naar het adres van je account.",

  linkCodeLead: "Met deze link log je hier in, in deze browser.",
  linkCodeNote: "Heb je deze link niet aangevraagd, of is het adres niet van jou, sluit dan deze pagina.",

  logoutLead: "Je wordt in deze browser uitgelogd bij {tenant}.",

  loggedOutTitle: "Je bent uitgelogd",
  loggedOutLead: "Je kunt deze pagina nu sluiten.",

  noLoginLead:
    "Op dit adres begint het inloggen niet: misschien is het als bladwijzer bewaard. Open de app die je wilt gebruiken en log daar in.",
  cookiesTitle: "Je browser heeft een cookie geblokkeerd",
  cookiesLead:
    "Deze pagina heeft een cookie nodig om je browser te herkennen. Sta cookies voor deze site toe, ga dan terug naar de app en begin opnieuw. Een privévenster of een andere browser werkt ook.",
  invitationExpiredLead: "Vraag de persoon die je heeft uitgenodigd om een nieuwe uitnodiging.",
  invitationUsedLead: "Was jij dat, open dan de app en log in. Vraag anders de persoon die je heeft uitgenodigd om een nieuwe.",
  invitationWithdrawnLead: "Vraag de persoon die je heeft uitgenodigd of je nog steeds welkom bent.",

  formPostTitle: "Je gaat terug naar de app",
  wrongCredentialsOrReset: "E-mailadres of wachtwoord onjuist. Probeer het opnieuw of stel je wachtwoord opnieuw in.",
  tooManyAttemptsOrReset: "Te veel pogingen. Probeer het over 5 minuten opnieuw of stel je wachtwoord opnieuw in.",
  providerDeclined: "Je hebt het inloggen daar niet afgerond. Probeer het opnieuw of log op een andere manier in.",
  noAccountHere: "Je hebt hier nog geen account en op deze manier kan er geen worden aangemaakt. Log op een andere manier in.",
  linkAccountTitle: "Je hebt al een account",
  linkAccountLead: "Een account hier heeft het adres {email}. Log daar één keer mee in, daarna kun je ook met {provider} inloggen.",
  linkAccountFailed: "Dit account bij {provider} kan niet aan je account hier worden gekoppeld. Je kunt ermee doorgaan als apart account.",
};
