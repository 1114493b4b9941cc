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

  testSubject: "Email di prova di {sender}",
  testLead: "Ha inviato questa email il {time} per provare le impostazioni email di {sender}.",

  resetSubject: "Scelga una nuova password",
  resetLead: "Abbiamo ricevuto una richiesta di nuova password per il Suo account {sender}.",
  resetButton: "Scegli una nuova password",
  resetNote: "Se non l’ha richiesta, ignori questo messaggio. La Sua password resta invariata.",

  enrollSubject: "Configuri la verifica in due passaggi per il Suo account",
  enrollLead: "Aggiunga un altro metodo per confermare l’accesso a {sender}.",
  enrollButton: "Configura",
  enrollNote: "Il link è valido per cinque giorni e si può usare una volta. Se non ha un account presso {sender}, ignori questo messaggio.",

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

  factorCodeSubject: "Il Suo codice di verifica per {app}",
  factorCodeLead: "Inserisca questo codice per completare l’accesso a {app}:",
  factorCodeNote: "Non condivida questo codice. Se non stava tentando di accedere, qualcuno conosce la Sua password: ne scelga una nuova.",
  factorCodeText: "{code} è il Suo codice di verifica per {app}. Non lo condivida.",
  factorCodeSpoken: "Il Suo codice di verifica per {app} è {code}. Ripetiamo: {code}. Non lo condivida.",
  factorTotp: "app di autenticazione",
  factorPhone: "telefono",
  factorEmail: "indirizzo e-mail",
  factorRecoveryCode: "codice di recupero",
  factorSecurityKey: "chiave di sicurezza",
  factorDevice: "dispositivo",
  factorPasskey: "passkey",
  factorAddedSubject: "Un metodo di accesso è stato aggiunto al Suo account",
  factorAddedLead: "La verifica in due passaggi del Suo account {sender} ha ora un altro metodo: {factor}.",
  factorRemovedSubject: "Un metodo di accesso è stato rimosso dal Suo account",
  factorRemovedLead: "La verifica in due passaggi del Suo account {sender} non ha più questo metodo: {factor}.",
  factorUpdatedSubject: "Un metodo di accesso del Suo account è stato modificato",
  factorUpdatedLead: "Nella verifica in due passaggi del Suo account {sender} è stato modificato questo metodo: {factor}.",
  factorChangedNote: "Se è stato Lei, non deve fare nulla. Altrimenti scelga subito una nuova password e contatti {sender}.",
  factorReplacedSubject: "Un metodo di accesso del Suo account è stato sostituito",
  factorReplacedLead:
    "Questo metodo della verifica in due passaggi del Suo account {sender} è stato sostituito: {factor}. Il precedente non funziona più.",
  factorUndoButton: "Non sono stato io",
  factorUndoNote:
    "Il pulsante chiude tutte le sessioni dell’account e sospende le modifiche dei metodi di accesso per 24 ore. Funziona per 7 giorni.",

  factorAdministratorNote: "Un amministratore ha effettuato questa modifica. Se non se l’aspettava, contatti {sender}.",
  factorLockedSubject: "Troppi codici errati per il Suo account",
  factorLockedLead:
    "Qualcuno ha inserito la Sua password per {sender} e poi troppi codici errati. Questo metodo della verifica in due passaggi è bloccato per alcuni minuti.",
  factorLockedNote: "Se è stato Lei, aspetti alcuni minuti o usi un altro metodo. Altrimenti scelga subito una nuova password.",

  deletionSubject: "Il Suo account verrà eliminato",
  deletionReminderSubject: "Il Suo account verrà eliminato a breve",
  deletionLead: "Il Suo account {sender} verrà eliminato il {time}, come ha richiesto.",
  deletionKeep: "Per conservare l’account, acceda prima.",
  deletionNote: "Se non è stato Lei, acceda subito, conservi l’account e scelga una nuova password.",

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

  addressCodeSubject: "Codice per confermare questo indirizzo per {sender}",
  addressCodeLead: "Questo codice permette di usare l’indirizzo per l’account {sender}:",
  addressCodeNote: "Il codice non va condiviso. Se non è stato richiesto, questo messaggio si può ignorare.",
  addressCodeText: "{code} è il codice per usare questo numero con {sender}. Non va condiviso.",
  addressInUseSubject: "Questo indirizzo è già in uso",
  addressInUseLead: "Un altro account {sender} doveva ricevere questo indirizzo. Appartiene già a un account, quindi nulla è cambiato.",
  addressInUseNote: "Se la richiesta è legittima, basta accedere con questo indirizzo. Altrimenti questo messaggio si può ignorare.",
  emailChangedSubject: "L’indirizzo email è stato cambiato",
  emailChangedLead: "L’indirizzo email dell’account {sender} è stato cambiato.",
  phoneChangedSubject: "Il numero di telefono è stato cambiato",
  phoneChangedLead: "Il numero di telefono dell’account {sender} è stato cambiato.",
  usernameChangedSubject: "Il nome utente è stato cambiato",
  usernameChangedLead: "Il nome utente dell’account {sender} è stato cambiato.",
  accountAddedSubject: "Un account è stato collegato",
  accountAddedLead: "Un altro account permette ora di accedere all’account {sender}.",
  accountUnlinkedSubject: "Un account è stato scollegato",
  accountUnlinkedLead: "Un account collegato non permette più di accedere all’account {sender}.",
  accountChangedNote: "Se la modifica è voluta, non c’è nulla da fare. Altrimenti occorre usare subito il pulsante e contattare {sender}.",
  factTime: "Ora",
  factDevice: "Dispositivo",
  factAddress: "Indirizzo IP",
};
