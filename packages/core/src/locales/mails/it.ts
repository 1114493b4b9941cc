import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Italian. */
export const it: MailTexts = {
  direction: "ltr",

  codeOrLink: "Oppure usi questo link:",
  linkInstead: "Se il pulsante non funziona, copi questo indirizzo nel browser:",
  footer: "Inviato a {address} da {sender}.",
  help: "Aiuto",

  verifySubject: "Confermi il Suo indirizzo e-mail",
  verifyLead: "Confermi che {address} è il Suo indirizzo, così {sender} sa che questo account è Suo.",
  verifyButton: "Conferma indirizzo",
  verifyNote: "Se non ha un account {sender}, ignori questo messaggio.",

  welcomeSubject: "Le diamo il benvenuto in {sender}",
  welcomeLead: "Il Suo account {sender} è pronto. Accede con {address}.",

  resetSubject: "Scelga una nuova password",
  resetLead: "Qualcuno ha chiesto una nuova password per il Suo account {sender}.",
  resetButton: "Scegli una nuova password",
  resetNote: "Se non è stato Lei, ignori questo messaggio: la Sua password resta com’è.",

  loginCodeSubject: "Il Suo codice per accedere a {app}",
  loginCodeLead: "Inserisca questo codice per accedere a {app}:",
  loginCodeNote: "Non dia il codice a nessuno: chi lo ha può accedere al Suo posto. Se non voleva accedere, ignori questo messaggio.",
  loginCodeText: "{code} è il Suo codice per accedere a {app}. Non lo dia a nessuno.",
  loginLinkSubject: "Accesso a {app}",
  loginLinkLead: "Usi questo link per accedere a {app}.",
  loginLinkNote: "Non dia il link a nessuno: chi lo ha può accedere al Suo posto. Se non voleva accedere, ignori questo messaggio.",
  loginLinkText: "Acceda a {app} con questo link. Non lo dia a nessuno.",
  loginButton: "Accedi",

  invitationSubject: "{inviter} La invita in {organization}",
  invitationLead: "{inviter} La invita a unirsi a {organization}.",
  invitationButton: "Accetta invito",
  invitationUntil: "L’invito è valido fino al {time}.",
  invitationNote: "Se non sa perché lo ha ricevuto, non faccia nulla.",

  passwordChangedSubject: "La Sua password è cambiata",
  passwordChangedLead: "La password del Suo account {sender} è stata cambiata.",
  passwordChangedNote: "Se non è stato Lei, scelga subito una nuova password: inizi ad accedere e indichi di averla dimenticata.",

  blockedSubject: "Troppe password errate per il Suo account",
  blockedLead: "Qualcuno ha provato password errate per il Suo account {sender}. Per alcuni minuti nessuno può accedervi con la password.",
  blockedNote: "Se è stato Lei, aspetti un po’ e riprovi. Altrimenti nessuno è entrato; con una password che non usa altrove resterà così.",

  newDeviceSubject: "Nuovo accesso al Suo account",
  newDeviceLead: "Qualcuno ha eseguito l’accesso al Suo account {sender} da un dispositivo mai usato prima.",
  newDeviceNote: "Se è stato Lei, non occorre fare nulla. Altrimenti scelga subito una nuova password.",

  linkCodeSubject: "Il Suo codice per collegare {provider}",
  linkCodeLead: "Inserisca questo codice per collegare {provider} al Suo account {sender}:",
  linkCodeNote: "Dopo potrà accedere anche con {provider}. Se non lo ha richiesto, ignori questo messaggio e non dia il codice a nessuno.",

  accountLinkedSubject: "{provider} è stato collegato al Suo account",
  accountLinkedLead: "Ora si può accedere al Suo account {sender} anche con {provider}.",
  accountLinkedNote: "Se è stato Lei, non occorre fare nulla. Altrimenti contatti subito {sender}.",

  accountExistsSubject: "Ha già un account",
  accountExistsLead: "Qualcuno ha provato a registrarsi in {sender} con questo indirizzo. Ha già un account: acceda con quello.",
  accountExistsNote:
    "Se ha dimenticato la password, ne scelga una nuova dove accede. Se non è stato Lei, ignori questo messaggio: non è cambiato nulla.",

  factTime: "Ora",
  factDevice: "Dispositivo",
  factAddress: "Indirizzo di rete",
};
