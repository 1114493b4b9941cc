import type { Messages } from "../messages.ts";

/** Italian that says "tu". */
export const itFamiliar: Partial<Messages> = {
  againTitle: "Conferma la tua identità",
  identifierLeadPlain: "con il tuo account {tenant}",

  passwordTitle: "Inserisci la password",

  identifierNoAccount: "Non hai ancora un account?",
  addressInvalid: "Non è possibile inviare un codice a questo indirizzo. Controlla come l’hai scritto.",

  signUpTitle: "Crea il tuo account",
  signUpHave: "Hai già un account?",
  emailMalformed: "Questo non è un indirizzo e-mail. Controlla come l’hai scritto.",
  usernameMalformed: "Qui non può essere un nome utente. Scegline un altro.",
  usernameTaken: "Questo nome utente è già in uso. Scegline un altro.",
  phoneMalformed: "Inserisci il numero di telefono con + e il prefisso del Paese.",
  accountTaken: "Non è possibile creare un account con questi dati. Se ne hai uno, accedi.",

  codeTitleEmail: "Controlla la posta",
  codeTitleSms: "Controlla i messaggi",
  codeLeadEmail: "Inserisci il codice che abbiamo inviato a {address}.",
  codeLeadSms: "Inserisci il codice che abbiamo inviato via SMS a {address}.",
  codeLeadReset: "Se esiste un account per {address}, vi abbiamo inviato un codice. Inseriscilo qui.",
  codeLeadAccount: "Se questo account esiste, abbiamo inviato un codice al suo indirizzo e-mail. Inseriscilo qui.",
  codeMissing: "Inserisci il codice che ti abbiamo inviato.",
  codeWrong: "Il codice è sbagliato o non è più valido. Controllalo o richiedine un altro.",
  codesTooMany: "Sono stati inviati troppi codici. Usa l’ultimo o riprova tra 10 minuti.",

  resetTitle: "Reimposta la password",
  resetLead: "Ti invieremo un codice e un link per impostarne una nuova.",
  newPasswordTitle: "Scegli una nuova password",
  newPasswordNote: "Uscirai da tutti gli altri dispositivi.",

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
  wrongCredentialsOrReset: "E-mail o password non corretta. Riprova o reimposta la password.",
  tooManyAttemptsOrReset: "Troppi tentativi. Riprova tra 5 minuti o reimposta la password.",
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
  passwordLeaked: "Questa password compare in una fuga di dati di un altro servizio. Scegline una che non usi altrove.",

  linkConfirmTitle: "Conferma il tuo indirizzo e-mail",
  linkConfirmLead: "Il tuo account {tenant} ha questo indirizzo. Conferma che è tuo.",
  linkAskTitle: "Hai creato tu questo account?",
  linkAskLead: "Esiste un account {tenant} con il tuo indirizzo.",
  linkAskNote:
    "Se non è tuo, qualcun altro l’ha creato con il tuo indirizzo. Diccelo e quella persona non potrà più usarlo: la sua password smetterà di funzionare e la sua sessione sarà chiusa.",
  linkVerifiedTitle: "Il tuo indirizzo è confermato",
  linkVerifiedLead: "Puoi continuare nell’app.",
  linkDisownedLead: "Nessuno può più accedere a questo account. Se vuoi usarlo, imposta una password.",
  passwordFormer: "Hai già usato questa password in passato. Scegline un’altra.",
  linkChangedTitle: "La tua password è cambiata",
  linkChangedLead: "Tutte le tue sessioni sono state chiuse. Accedi con la nuova password.",
  linkUsedLead: "È stato usato per impostare una password. Se l’hai usato tu, apri l’app e accedi. Altrimenti richiedi un nuovo link.",
  linkSentTitle: "Controlla la posta",
  linkSentLead:
    "Se ti conosciamo, un link per scegliere una nuova password è in arrivo. È valido per un’ora. Se non arriva nulla, guarda nella posta indesiderata o riprova.",
  linkExpiredLead: "I link nelle e-mail valgono per un tempo limitato. Possiamo inviartene uno nuovo.",
  linkUnknownLead: "Forse è incompleto o troppo vecchio. Apri di nuovo il link nell’e-mail, o copialo per intero.",
  linkRequestLead: "Dicci chi sei. Invieremo all’indirizzo del tuo account un link per scegliere una nuova password.",

  linkCodeLead: "Con questo link accedi qui, in questo browser.",
  linkCodeNote: "Se non hai richiesto questo link, o se l’indirizzo non è tuo, chiudi questa pagina.",
  linkCodeUsed: "È già stato usato o è scaduto. Torna all’app e richiedine uno nuovo.",

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
  providerDeclined: "L’accesso non è stato completato. Riprova, oppure accedi in un altro modo.",
  providerFailed: "L’accesso non è riuscito. Riprova, oppure accedi in un altro modo.",
  noAccountHere: "Non hai ancora un account qui, e in questo modo non è possibile crearne uno. Accedi in un altro modo.",
  linkAccountTitle: "Hai già un account",
  linkAccountLead:
    "Un account qui ha l’indirizzo {email}. Accedi una volta a quell’account: da allora potrai entrare anche con {provider}.",
  linkAccountFailed:
    "Questo account {provider} non può essere collegato al tuo account qui. Puoi continuare usandolo come account separato.",
};
