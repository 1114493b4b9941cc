import type { Messages } from "../messages.ts";

/** Dutch that says "je". */
export const nlFamiliar: Partial<Messages> = {
  againTitle: "Bevestig wie je bent",
  identifierLeadPlain: "met je account bij {tenant}",

  passwordTitle: "Voer je wachtwoord in",
  passwordChangeName: "Wijzigen met welk account je inlogt",

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
};
