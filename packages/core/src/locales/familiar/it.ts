import type { Messages } from "../messages.ts";

/** The Italian texts for pages that differ with the familiar form of address, "tu". */
export const itFamiliar: Partial<Messages> = {
  againTitle: "Conferma la tua identità",
  identifierLeadPlain: "con il tuo account {tenant}",

  passwordTitle: "Inserisci la password",

  identifierNoAccount: "Non hai ancora un account?",
  addressInvalid: "Non possiamo inviare un codice a questo indirizzo. Controlla di averlo scritto bene.",

  signUpTitle: "Crea il tuo account",
  signUpHave: "Hai già un account?",
  emailMalformed: "Questo indirizzo e-mail non è valido. Controlla di averlo scritto bene.",
  usernameMalformed: "Questo nome utente non è consentito. Scegline un altro.",
  usernameTaken: "Questo nome utente è già in uso. Scegline un altro.",
  phoneMalformed: "Inserisci il numero di telefono con + e il prefisso del Paese.",
  phoneMisspelled: "Scrivi il numero così: {number}",
  phoneUsed: "Hai effettuato l’accesso con questo numero. Aggiungine un altro.",
  accountTaken: "Non possiamo creare un account con questi dati. Se ne hai già uno, accedi.",

  codeTitleEmail: "Controlla la posta",
  codeTitleSms: "Controlla i messaggi",
  codeLeadEmail: "Inserisci il codice che abbiamo inviato a {address}.",
  codeLeadSms: "Inserisci il codice che abbiamo inviato via SMS a {address}.",
  codeLeadReset: "Se esiste un account per {address}, abbiamo inviato un codice. Inserisci qui il codice.",
  codeLeadAccount: "Se questo account esiste, abbiamo inviato un codice al suo indirizzo e-mail. Inserisci qui il codice.",
  codeMissing: "Inserisci il codice che ti abbiamo inviato.",
  codeWrong: "Il codice è errato o non è più valido. Controllalo o richiedine un altro.",
  codesTooMany: "Abbiamo inviato troppi codici. Usa l’ultimo o riprova tra 10 minuti.",
  newNumbersTooMany: "Al momento non possiamo inviare altri codici a nuovi numeri di telefono. Usa l’ultimo codice o riprova tra un’ora.",

  factorTitleTotp: "Inserisci il codice dell’app",
  factorTitlePhone: "Controlla i messaggi",
  factorTitleEmail: "Controlla la posta",
  factorTitleRecovery: "Inserisci il codice di recupero",
  factorTitleKey: "Usa la chiave di sicurezza",
  factorTitlePasskey: "Usa la passkey",
  factorLeadTotp: "Apri l’app di autenticazione e inserisci il codice di 6 cifre per {tenant}.",
  factorLeadCall: "Chiameremo {address} e ti detteremo un codice.",
  factorLeadCalled: "Inserisci il codice della nostra chiamata a {address}.",
  factorLeadEmail: "Inserisci il codice che abbiamo inviato a {address}.",
  factorLeadPhone: "Inserisci il codice che abbiamo inviato via SMS a {address}.",
  factorLeadRecovery:
    "Inserisci il codice di recupero che hai salvato quando hai configurato la verifica in due passaggi. Si può usare una sola volta.",
  factorLeadKey: "Conferma la tua identità con la chiave di sicurezza.",
  factorLeadPasskey: "Conferma la tua identità con l’impronta, il volto o il blocco schermo.",
  factorCodeMissing: "Inserisci il codice.",
  factorCodeWrong: "Il codice è errato o non è più valido. Controllalo o usane uno più recente.",
  factorTooManyAttempts: "Troppi codici errati. Aspetta alcuni minuti o prova un altro metodo.",
  factorAddedElsewhere: "Un altro metodo è stato appena aggiunto al tuo account. Usa quel metodo per continuare.",
  factorLocked:
    "Troppi tentativi falliti. Potrai riprovare con questo metodo a partire da quest’ora: {time}. Nel frattempo usa un altro metodo, se disponibile.",

  addFactorTitle: "Configura la verifica in due passaggi",
  addFactorLead: "{tenant} richiede un secondo passaggio per l’accesso. Scegli come vuoi confermare la tua identità.",
  webauthnAddLead: "Il browser chiederà la tua chiave di sicurezza. Segui le istruzioni.",
  webauthnWaiting:
    "Il browser è in attesa della passkey o della chiave di sicurezza. Segui le istruzioni o scegli un altro metodo, se disponibile.",
  webauthnNeedsScript:
    "Una passkey o una chiave di sicurezza richiede JavaScript e un browser compatibile. Scegli un altro metodo, se disponibile.",
  webauthnFailed: "Non ha funzionato. Riprova o scegli un altro metodo.",
  webauthnUnavailable: "La tua chiave non è utilizzabile a questo indirizzo web. Scegli un altro metodo, se disponibile.",

  passkeyFailed: "Non è stato possibile accedere con questa passkey. Riprova o scegli un altro metodo.",
  newPasskeyTitle: "Crea una passkey",
  newPasskeyLead: "Accedi con l’impronta, il volto o il blocco schermo. La password non serve.",
  addPasskeyTitle: "Accedi senza password",
  addPasskeyLead: "Crea una passkey e la prossima volta accedi con l’impronta, il volto o il blocco schermo. La tua password resta valida.",
  addPasskeyDeviceTitle: "Crea una passkey su questo dispositivo",
  addPasskeyDeviceLead:
    "Hai effettuato l’accesso con la passkey di un altro dispositivo. Con una passkey su questo dispositivo, la prossima volta l’altro non servirà.",

  addTotpTitle: "Configura l’app di autenticazione",
  addTotpLead: "Aggiungi il tuo account a un’app di autenticazione. Poi inserisci il codice che l’app mostra.",
  addTotpScan: "Scansiona questo codice QR con l’app:",
  addTotpManual: "Oppure inserisci questa chiave nell’app:",
  addPhoneTitle: "Aggiungi il telefono",

  addFactorFrozen:
    "Ci hai segnalato una modifica dei metodi di accesso che non hai fatto. Per questo non se ne possono aggiungere per 24 ore, e senza un secondo passaggio non puoi accedere. Riprova più tardi o contatta l’assistenza.",
  securityMethods: "I tuoi metodi di accesso",
  securityNone: "Non hai ancora un secondo passaggio. Con un secondo passaggio, una password rubata non basta per accedere.",
  securitySynced: "Sincronizzata tra i tuoi dispositivi",
  securityAddLead: "Scegli come vuoi confermare la tua identità quando accedi.",
  securityRecoverySet: "Hai un codice di recupero. Se l’hai perso, creane uno nuovo.",
  securityRecoveryNone: "Con un codice di recupero puoi accedere una volta se perdi gli altri metodi.",
  securityRenameLead: "Scegli un nome con cui riconoscerlo: {name}",
  securityNameMissing: "Inserisci un nome.",
  securityRemoveLead: "Non potrai più confermare la tua identità con: {name}",
  securityRemoveLast: "È il tuo unico secondo passaggio. Senza, non ne verrà più richiesto uno per l’accesso.",
  securityRequiredLead: "{tenant} richiede un secondo passaggio. Aggiungi un altro metodo prima di rimuovere questo.",
  securityFrozenLead:
    "Ci hai segnalato una modifica che non hai fatto. Per questo i metodi di accesso non possono essere modificati per 24 ore. Puoi comunque usarli per accedere.",
  securityAgainLead:
    "Per modificare i metodi di accesso devi aver effettuato l’accesso negli ultimi 15 minuti. Esci qui e poi accedi di nuovo nell’app.",
  securityUnavailableLead:
    "Al momento nessuno dei tuoi metodi di accesso funziona qui, quindi non possono essere modificati. Contatta l’assistenza.",
  securityNoSessionLead: "Accedi all’app in questo browser e poi riapri questa pagina.",
  securityConflict: "La modifica non è stata salvata. Forse ci sono troppi metodi o sono stati modificati in un’altra finestra. Riprova.",
  undoLead: "Continua se non hai fatto la modifica del tuo account {tenant} che ti abbiamo segnalato.",
  undoSignsOut: "Tutte le tue sessioni vengono chiuse.",
  undoNote: "I metodi di accesso restano invariati. Se uno non è tuo, contatta l’assistenza.",
  undoDoneTitle: "Il tuo account è protetto",
  undoDoneLead:
    "Tutte le sessioni sono state chiuse e i metodi di accesso non possono essere modificati per 24 ore. Scegli ora una nuova password. Se un metodo non è tuo, contatta l’assistenza.",
  undoRemainsTitle: "Controlla i metodi di accesso",
  undoRemainsLead:
    "Tutte le sessioni sono state chiuse e i metodi di accesso non possono essere modificati per 24 ore. Un metodo aggiunto o sostituito di recente però funziona ancora. Se non è tuo, contatta l’assistenza. Scegli ora una nuova password.",
  undoUsedLead: "Con questo link sono già state chiuse tutte le sessioni. Se qualcosa non va ancora, contatta l’assistenza.",
  undoExpiredLead: "Se non riconosci una modifica del tuo account, scegli una nuova password e contatta l’assistenza.",

  recoveryTitle: "Salva il codice di recupero",
  recoveryLead:
    "Se perdi gli altri metodi, con questo codice puoi accedere una volta. Annotalo o conservalo in un luogo sicuro. Non lo mostreremo più.",
  recoverySpentTitle: "Salva il nuovo codice di recupero",
  recoverySpentLead:
    "Il codice inserito è stato usato e non funziona più. Questo lo sostituisce. Annotalo o conservalo in un luogo sicuro. Non lo mostreremo più.",
  recoveryReplace: "Se hai perso un metodo, sostituiscilo nelle impostazioni di sicurezza: aggiungine uno nuovo e rimuovi quello perso.",
  recoveryLabel: "Il tuo codice di recupero",

  resetTitle: "Reimposta la password",
  resetLead: "Ti invieremo un codice e un link per scegliere una nuova password.",
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
  wrongCredentials: "E-mail o password errata. Riprova.",
  tooManyAttempts: "Troppi tentativi. Riprova tra 5 minuti.",
  wrongCredentialsOrReset: "E-mail o password errata. Riprova o reimposta la password.",
  tooManyAttemptsOrReset: "Troppi tentativi. Riprova tra 5 minuti o reimposta la password.",
  blocked: "Questo account è bloccato. Per assistenza contatta {tenant}.",

  consentTitle: "Consentire a {client} di usare il tuo account?",
  consentAccount: "Hai eseguito l’accesso come {account}",
  consentActs: "{client} potrà agire per te in {audience}, anche su richiesta di altre app.",
  consentNothing: "{client} chiede solo di confermare la tua identità.",
  consentNotYou: "Non sei tu?",
  consentNotYouName: "Non sei tu? Usa un altro account",
  consentTrust: "Poi tornerai a {destination}. Consenti l’accesso solo se ti fidi di {client}.",
  consentAppTitle: "Consentire a questa app di usare il tuo account?",
  consentAppNothing: "L’app chiede solo di confermare la tua identità.",
  consentReturn: "Poi tornerai a",
  consentUnchecked: "Nessuno ha verificato il nome dell’app. Consenti l’accesso solo se hai avviato tu questa richiesta.",
  deviceLead: "Inserisci il codice mostrato dal tuo dispositivo.",
  deviceCodeMissing: "Inserisci il codice.",
  deviceCodeWrong: "Questo codice è errato o scaduto. Controllalo sul tuo dispositivo o richiedine lì uno nuovo.",
  deviceNote: "Qualcuno ti ha inviato questo codice? Non inserirlo.",
  deviceConfirmTitle: "Accedere a {client} sul tuo dispositivo?",
  deviceConfirmLead: "Controlla che il tuo dispositivo mostri questo codice:",
  deviceOtherNetwork: "Il dispositivo usa una rete diversa da quella di questo browser. Continua solo se sai perché.",
  deviceConfirmNote:
    "Continua solo se hai avviato tu questa richiesta, su un dispositivo che hai davanti. Chiunque abbia il dispositivo potrà usare il tuo account.",
  deviceApprovedLead: "Continua sul tuo dispositivo. Puoi chiudere questa pagina.",
  deviceDeniedLead: "Puoi chiudere questa pagina. Se non hai avviato tu questa richiesta, forse qualcuno voleva accedere al tuo account.",
  deviceLostLead: "Ricomincia sul tuo dispositivo per ottenere un nuovo codice.",
  scopeOpenid: "Confermare la tua identità",
  scopeProfile: "Vedere il tuo nome, la tua foto e altri dati del profilo",
  scopeEmail: "Vedere il tuo indirizzo e-mail",
  scopePhone: "Vedere il tuo numero di telefono",
  scopeAddress: "Vedere il tuo indirizzo postale",
  scopeOfflineAccess: "Mantenere questo accesso anche in tua assenza",

  accountTitle: "Scegli un account",

  organizationTitle: "Scegli un’organizzazione",
  organizationNone: "Nessuna organizzazione ha questo nome. Controlla di averlo scritto bene.",

  invitationTitle: "Vuoi entrare in {organization}?",
  invitationLead: "{inviter} ti invita a entrare in {organization}.",
  invitationOther: "Questo invito è per {email}. Accedi con quell’account per accettarlo.",

  createAccountTitle: "Crea il tuo account",
  createAccountPassword: "Scegli una password",
  passwordTooCommon: "Questa password è troppo comune. Scegline un’altra.",
  passwordPersonal: "Questa password contiene il tuo nome o indirizzo. Scegline un’altra.",
  passwordLeaked: "Questa password è stata divulgata in una fuga di dati di un altro servizio. Scegline una che non usi altrove.",

  linkConfirmTitle: "Conferma il tuo indirizzo e-mail",
  linkConfirmLead: "Il tuo account {tenant} usa questo indirizzo. Conferma che è tuo.",
  linkAskTitle: "Hai creato tu questo account?",
  linkAskLead: "Un account {tenant} usa il tuo indirizzo.",
  linkAskNote:
    "Se non l’hai creato, scegli «No». La password dell’account smetterà di funzionare e la persona che l’ha creato verrà disconnessa.",
  linkVerifiedTitle: "Il tuo indirizzo è confermato",
  linkVerifiedLead: "Puoi continuare nell’app.",
  linkDisownedLead: "La password di questo account non funziona più. Se vuoi usare l’account, imposta una nuova password.",
  passwordFormer: "Hai già usato questa password in passato. Scegline un’altra.",
  linkChangedTitle: "La tua password è stata cambiata",
  linkChangedLead: "Tutte le tue sessioni sono state chiuse. Accedi con la nuova password.",
  linkUsedLead: "È stato usato per impostare una password. Se sei stato tu, apri l’app e accedi. Altrimenti richiedi un nuovo link.",
  linkSentTitle: "Controlla la posta",
  linkSentLead:
    "Se hai un account, ti abbiamo inviato un link per scegliere una nuova password. È valido per un’ora. Se non lo ricevi, controlla la posta indesiderata o riprova.",
  linkExpiredLead: "I link nelle e-mail sono validi per un tempo limitato. Possiamo inviartene uno nuovo.",
  linkUnknownLead: "Forse è incompleto o troppo vecchio. Apri di nuovo il link nell’e-mail, o copialo per intero.",
  noUsableFactorLead:
    "Al momento nessuno dei tuoi metodi di verifica in due passaggi può essere usato. Riprova più tardi o contatta l’assistenza.",
  enrolledLead: "D’ora in poi puoi confermare così l’accesso. Puoi chiudere questa pagina.",
  linkEndedLead: "Il link è già stato usato, è scaduto o l’account è cambiato nel frattempo. Chiedi un nuovo link.",
  linkRequestLead: "Inserisci i tuoi dati. Invieremo all’indirizzo e-mail del tuo account un link per scegliere una nuova password.",

  linkCodeLead: "Con questo link accedi in questo browser.",
  linkCodeElsewhere: "Hai iniziato in un altro browser. Per accedere da lì, inserisci lì il codice contenuto nel messaggio.",
  linkCodeNote: "Se non hai richiesto questo link, o se questo indirizzo non è tuo, chiudi questa pagina.",
  linkCodeUsed: "È già stato usato o è scaduto. Torna all’app e richiedine uno nuovo.",
  linkFactorRequired:
    "Il tuo account usa la verifica in due passaggi, quindi questo link non permette di accedere qui. Aprilo nel browser in cui hai iniziato, oppure inserisci lì il codice contenuto nel messaggio.",

  logoutTitle: "Vuoi uscire?",
  logoutLead: "Uscirai da {tenant} in questo browser.",

  loggedOutLead: "Ora puoi chiudere questa pagina.",

  errorLead:
    "C’è un problema con questa richiesta. Torna all’app e ricomincia. Se non basta, invia questi dettagli all’assistenza dell’app.",
  expiredLead: "È rimasta aperta troppo a lungo, oppure l’accesso è iniziato in un altro browser. Torna all’app e ricomincia.",
  noLoginTitle: "Inizia dall’app",
  noLoginLead:
    "Non è possibile accedere direttamente da questo indirizzo. Forse è stato salvato tra i segnalibri. Apri l’app che vuoi usare e accedi da lì.",
  notFoundLead: "L’indirizzo potrebbe essere sbagliato, o la pagina non esiste più. Torna all’app e ricomincia da lì.",
  cookiesLead:
    "A questa pagina serve un cookie per riconoscere il tuo browser. Consenti i cookie per questo sito, poi torna all’app e ricomincia. Va bene anche una finestra privata o un altro browser.",
  invitationExpiredLead: "Chiedi un nuovo invito alla persona che ti ha invitato.",
  invitationUsedLead: "Se sei stato tu, apri l’app e accedi. Altrimenti chiedi un nuovo invito alla persona che ti ha invitato.",
  invitationWithdrawnLead: "Chiedi alla persona che ti ha invitato se puoi ancora entrare.",
  noConnectionLead:
    "Qui non è configurato l’accesso alle app che si registrano da sole. Se hai bisogno di questa app, contatta l’assistenza.",
  answeredLead: "Qui non c’è altro da fare. Continua nell’app.",

  formPostLead: "Se entro pochi secondi non succede nulla, usa il pulsante.",
  providerDeclined: "L’accesso non è stato completato. Riprova o scegli un’altra opzione.",
  providerFailed: "L’accesso in questo modo non è riuscito. Riprova o scegli un’altra opzione.",
  noAccountHere: "Non hai ancora un account e non puoi crearne uno in questo modo. Accedi in un altro modo.",
  linkAccountLead: "Hai già un account con {email}. Accedi una volta per collegarlo a {provider}.",
  linkAccountFailed: "Questo account {provider} non può essere collegato al tuo account esistente. Puoi usarlo come account separato.",
};
