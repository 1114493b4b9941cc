import type { MailTexts } from "./texts.ts";

/** The Italian texts for mails and text messages. */
export const itMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "Oppure usi questo link:",
  linkInstead: "Se il pulsante non funziona, copi questo indirizzo nel browser:",
  footer: "Inviato a {address} da {sender}.",
  help: "Aiuto",

  verifySubject: "Confermi il Suo indirizzo e-mail",
  verifyLead: "Confermi che {address} è l’indirizzo e-mail del Suo account {sender}.",
  verifyButton: "Conferma indirizzo",
  verifyNote: "Se non ha un account {sender}, ignori questo messaggio.",

  welcomeSubject: "Le diamo il benvenuto su {sender}",
  welcomeLead: "Il Suo account {sender} è pronto. Acceda con {address}.",

  resetSubject: "Scelga una nuova password",
  resetLead: "Abbiamo ricevuto una richiesta di nuova password per il Suo account {sender}.",
  resetButton: "Scegli una nuova password",
  resetNote: "Se non l’ha richiesta, ignori questo messaggio. La Sua password resta invariata.",

  loginCodeSubject: "Il Suo codice per accedere a {app}",
  loginCodeLead: "Inserisca questo codice per accedere a {app}:",
  loginCodeNote:
    "Non condivida questo codice. Chi lo possiede può accedere al Suo posto. Se non stava cercando di accedere, ignori questo messaggio.",
  loginCodeText: "{code} è il Suo codice per accedere a {app}. Non lo condivida.",
  loginLinkSubject: "Accesso a {app}",
  loginLinkLead: "Usi questo link per accedere a {app}.",
  loginLinkNote:
    "Non condivida questo link. Chi lo possiede può accedere al Suo posto. Se non stava cercando di accedere, ignori questo messaggio.",
  loginLinkText: "Acceda a {app} con questo link. Non lo condivida.",
  loginButton: "Accedi",

  invitationSubject: "{inviter} La invita in {organization}",
  invitationLead: "{inviter} La invita a entrare in {organization}.",
  invitationButton: "Accetta invito",
  invitationUntil: "L’invito è valido fino al {time}.",
  invitationNote: "Se non aspettava questo invito, ignori questo messaggio.",

  passwordChangedSubject: "La Sua password è stata cambiata",
  passwordChangedLead: "La password del Suo account {sender} è stata cambiata.",
  passwordChangedNote: "Se non è stato Lei, scelga subito una nuova password: inizi ad accedere e selezioni «Password dimenticata?».",

  blockedSubject: "Troppe password errate per il Suo account",
  blockedLead:
    "Ci sono stati troppi tentativi di accesso al Suo account {sender} con una password errata. L’accesso con password è bloccato per alcuni minuti.",
  blockedNote:
    "Se è stato Lei, aspetti alcuni minuti e riprovi. Altrimenti i tentativi sono falliti. Una password che non usa altrove protegge il Suo account.",

  newDeviceSubject: "Nuovo accesso al Suo account",
  newDeviceLead: "È stato eseguito un accesso al Suo account {sender} da un nuovo dispositivo.",
  newDeviceNote: "Se è stato Lei, non deve fare nulla. Altrimenti scelga subito una nuova password.",

  linkCodeSubject: "Il Suo codice per collegare {provider}",
  linkCodeLead: "Inserisca questo codice per collegare {provider} al Suo account {sender}:",
  linkCodeNote: "Poi potrà accedere anche con {provider}. Se non l’ha richiesto, ignori questo messaggio e non condivida il codice.",

  accountLinkedSubject: "{provider} è stato collegato al Suo account",
  accountLinkedLead: "Ora può accedere al Suo account {sender} anche con {provider}.",
  accountLinkedNote: "Se è stato Lei, non deve fare nulla. Altrimenti contatti subito {sender}.",

  accountExistsSubject: "Ha già un account",
  accountExistsLead: "C’è stato un tentativo di registrazione su {sender} con questo indirizzo. Ha già un account: acceda con quello.",
  accountExistsNote:
    "Se ha dimenticato la password, può sceglierne una nuova quando accede. Se non è stato Lei, ignori questo messaggio. Non è cambiato nulla.",

  factTime: "Ora",
  factDevice: "Dispositivo",
  factAddress: "Indirizzo IP",
  factorCodeSubject: "Your verification code for {app}",
  factorCodeLead: "Enter this code to finish signing in to {app}:",
  factorCodeNote: "Don’t share this code. If you didn’t try to sign in, somebody knows your password: choose a new one.",
  factorCodeText: "{code} is your verification code for {app}. Don’t share it.",
  factorTotp: "authenticator app",
  factorPhone: "phone",
  factorEmail: "email address",
  factorRecoveryCode: "recovery code",
  factorSecurityKey: "security key",
  factorDevice: "device",
  factorPasskey: "passkey",
  factorAddedSubject: "A sign-in method was added to your account",
  factorAddedLead: "Two-step verification for your account with {sender} now has another method: {factor}.",
  factorRemovedSubject: "A sign-in method was removed from your account",
  factorRemovedLead: "Two-step verification for your account with {sender} no longer has this method: {factor}.",
  factorChangedNote: "If this was you, you don’t need to do anything. If not, choose a new password right away and contact {sender}.",
  factorLockedSubject: "Too many wrong codes for your account",
  factorLockedLead:
    "Somebody entered your password for {sender} and then too many wrong codes. This method of two-step verification is locked for a few minutes.",
  factorLockedNote: "If this was you, wait a few minutes or use another method. If not, choose a new password right away.",
};
