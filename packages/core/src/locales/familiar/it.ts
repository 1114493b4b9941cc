import type { Messages } from "../messages.ts";

/** Italian that says "tu". */
export const itFamiliar: Partial<Messages> = {
  againTitle: "Conferma la tua identità",
  identifierLeadPlain: "con il tuo account {tenant}",

  passwordTitle: "Inserisci la password",

  identifierMissing: "Inserisci l’indirizzo e-mail, il nome utente o il numero di telefono.",
  missingEmail: "Inserisci l’indirizzo e-mail.",
  missingUsername: "Inserisci il nome utente.",
  missingPhone: "Inserisci il numero di telefono.",
  missingEmailUsername: "Inserisci l’indirizzo e-mail o il nome utente.",
  missingEmailPhone: "Inserisci l’indirizzo e-mail o il numero di telefono.",
  missingUsernamePhone: "Inserisci il nome utente o il numero di telefono.",
  passwordMissing: "Inserisci la password.",
  wrongCredentials: "E-mail o password non corretta. Riprova.",
  tooManyAttempts: "Troppi tentativi. Riprova tra 5 minuti.",
  blocked: "Questo account è bloccato. Chiedi aiuto a chi gestisce {tenant}.",

  consentTitle: "Consentire a {client} di usare il tuo account?",
  consentAccount: "Hai eseguito l’accesso come {account}",
  consentNothing: "{client} chiede solo di sapere che sei tu.",
  consentNotYou: "Non sei tu?",
  consentNotYouName: "Non sei tu? Usa un altro account",
  consentTrust: "In seguito tornerai a {destination}. Acconsenti solo se ti fidi di {client}.",
  scopeOpenid: "Sapere che sei tu",
  scopeProfile: "Vedere il tuo nome, la tua foto e altri dati del profilo",
  scopeEmail: "Vedere il tuo indirizzo e-mail",
  scopePhone: "Vedere il tuo numero di telefono",
  scopeAddress: "Vedere il tuo indirizzo postale",
  scopeOfflineAccess: "Mantenere questo accesso anche in tua assenza",

  accountTitle: "Scegli un account",

  organizationTitle: "Scegli un’organizzazione",
  organizationNone: "Nessuna organizzazione ha questo nome. Controlla come l’hai scritto.",

  invitationTitle: "Unirti a {organization}?",
  invitationLead: "{inviter} ti invita a unirti a {organization}.",
  invitationOther: "Questo invito è per {email}. Accedi con quell’account per accettarlo.",

  createAccountTitle: "Crea il tuo account",
  createAccountPassword: "Scegli una password",
  passwordTooCommon: "Troppe persone usano questa password. Scegline un’altra.",
  passwordPersonal: "Questa password contiene il tuo nome o indirizzo. Scegline un’altra.",

  logoutTitle: "Vuoi uscire?",
  logoutLead: "Uscirai da {tenant} in questo browser.",

  loggedOutLead: "Ora puoi chiudere questa pagina.",

  errorLead: "C’è un problema con questa richiesta. Torna all’app e ricomincia. Se non basta, invia questi dettagli alla sua assistenza.",
  expiredLead: "È rimasta aperta troppo a lungo, oppure l’accesso è iniziato in un altro browser. Torna all’app e ricomincia.",
  noLoginTitle: "Inizia dall’app",
  noLoginLead: "Da questo indirizzo non si accede: forse è stato salvato tra i segnalibri. Apri l’app che vuoi usare e accedi da lì.",
  notFoundLead: "L’indirizzo potrebbe essere sbagliato, o la pagina non esiste più. Torna all’app e ricomincia da lì.",
  cookiesLead:
    "A questa pagina serve un cookie per riconoscere il tuo browser. Consenti i cookie per questo sito, poi torna all’app e ricomincia. Va bene anche una finestra privata o un altro browser.",
  invitationExpiredLead: "Chiedi un nuovo invito alla persona che ti ha invitato.",
  invitationUsedLead: "Se l’hai usato tu, apri l’app e accedi. Altrimenti chiedine uno nuovo alla persona che ti ha invitato.",
  invitationWithdrawnLead: "Chiedi alla persona che ti ha invitato se l’invito è ancora valido.",
  answeredLead: "Qui non resta altro da fare. Prosegui nell’app.",

  formPostLead: "Se entro pochi secondi non succede nulla, usa il pulsante.",
};
