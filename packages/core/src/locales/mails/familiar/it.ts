import type { MailTexts } from "../texts.ts";

/** What mails and text messages say in other words where people are addressed familiarly in Italian. */
export const itFamiliar: Partial<MailTexts> = {
  codeOrLink: "Oppure usa questo link:",
  linkInstead: "Se il pulsante non funziona, copia questo indirizzo nel browser:",

  verifySubject: "Conferma il tuo indirizzo e-mail",
  verifyLead: "Conferma che {address} è il tuo indirizzo, così {sender} sa che questo account è tuo.",
  verifyNote: "Se non hai un account {sender}, ignora questo messaggio.",

  welcomeSubject: "Ti diamo il benvenuto in {sender}",
  welcomeLead: "Il tuo account {sender} è pronto. Accedi con {address}.",

  resetSubject: "Scegli una nuova password",
  resetLead: "Qualcuno ha chiesto una nuova password per il tuo account {sender}.",
  resetNote: "Se non sei stato tu, ignora questo messaggio: la tua password resta com’è.",

  loginCodeSubject: "Il tuo codice per accedere a {app}",
  loginCodeLead: "Inserisci questo codice per accedere a {app}:",
  loginCodeNote: "Non dare il codice a nessuno: chi lo ha può accedere al tuo posto. Se non volevi accedere, ignora questo messaggio.",
  loginCodeText: "{code} è il tuo codice per accedere a {app}. Non darlo a nessuno.",
  loginLinkLead: "Usa questo link per accedere a {app}.",
  loginLinkNote: "Non dare il link a nessuno: chi lo ha può accedere al tuo posto. Se non volevi accedere, ignora questo messaggio.",
  loginLinkText: "Accedi a {app} con questo link. Non darlo a nessuno.",

  invitationSubject: "{inviter} ti invita in {organization}",
  invitationLead: "{inviter} ti invita a unirti a {organization}.",
  invitationNote: "Se non sai perché lo hai ricevuto, non fare nulla.",

  passwordChangedSubject: "La tua password è cambiata",
  passwordChangedLead: "La password del tuo account {sender} è stata cambiata.",
  passwordChangedNote: "Se non sei stato tu, scegli subito una nuova password: inizia ad accedere e indica di averla dimenticata.",

  blockedSubject: "Troppe password errate per il tuo account",
  blockedLead: "Qualcuno ha provato password errate per il tuo account {sender}. Per alcuni minuti nessuno può accedervi con la password.",
  blockedNote:
    "Se sei stato tu, aspetta un po’ e riprova. Altrimenti nessuno è entrato; con una password che non usi altrove resterà così.",

  newDeviceSubject: "Nuovo accesso al tuo account",
  newDeviceLead: "Qualcuno ha eseguito l’accesso al tuo account {sender} da un dispositivo mai usato prima.",
  newDeviceNote: "Se sei stato tu, non occorre fare nulla. Altrimenti scegli subito una nuova password.",

  linkCodeSubject: "Il tuo codice per collegare {provider}",
  linkCodeLead: "Inserisci questo codice per collegare {provider} al tuo account {sender}:",
  linkCodeNote:
    "Dopo potrai accedere anche con {provider}. Se non lo hai richiesto, ignora questo messaggio e non dare il codice a nessuno.",

  accountLinkedSubject: "{provider} è stato collegato al tuo account",
  accountLinkedLead: "Ora si può accedere al tuo account {sender} anche con {provider}.",
  accountLinkedNote: "Se sei stato tu, non occorre fare nulla. Altrimenti contatta subito {sender}.",

  accountExistsSubject: "Hai già un account",
  accountExistsLead: "Qualcuno ha provato a registrarsi in {sender} con questo indirizzo. Hai già un account: accedi con quello.",
  accountExistsNote:
    "Se hai dimenticato la password, scegline una nuova dove accedi. Se non sei stato tu, ignora questo messaggio: non è cambiato nulla.",
};
