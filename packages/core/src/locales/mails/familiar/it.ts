import type { MailTexts } from "../texts.ts";

/** The Italian texts for mails that differ with the familiar form of address, "tu". */
export const itFamiliarMails: Partial<MailTexts> = {
  codeOrLink: "Oppure usa questo link:",
  linkInstead: "Se il pulsante non funziona, copia questo indirizzo nel browser:",

  verifySubject: "Conferma il tuo indirizzo e-mail",
  verifyLead: "Conferma che {address} è l’indirizzo e-mail del tuo account {sender}.",
  verifyNote: "Se non hai un account {sender}, ignora questo messaggio.",

  welcomeSubject: "Ti diamo il benvenuto su {sender}",
  welcomeLead: "Il tuo account {sender} è pronto. Accedi con {address}.",
  testLead: "Hai inviato questa email il {time} per provare le impostazioni email di {sender}.",

  resetSubject: "Scegli una nuova password",
  resetLead: "Abbiamo ricevuto una richiesta di nuova password per il tuo account {sender}.",
  resetNote: "Se non l’hai richiesta, ignora questo messaggio. La tua password resta invariata.",

  loginCodeSubject: "Il tuo codice per accedere a {app}",
  loginCodeLead: "Inserisci questo codice per accedere a {app}:",
  loginCodeNote:
    "Non condividere questo codice. Chi lo possiede può accedere al tuo posto. Se non stavi cercando di accedere, ignora questo messaggio.",
  loginCodeText: "{code} è il tuo codice per accedere a {app}. Non condividerlo.",
  loginLinkLead: "Usa questo link per accedere a {app}.",
  loginLinkNote:
    "Non condividere questo link. Chi lo possiede può accedere al tuo posto. Se non stavi cercando di accedere, ignora questo messaggio.",
  loginLinkText: "Accedi a {app} con questo link. Non condividerlo.",

  invitationSubject: "{inviter} ti invita in {organization}",
  invitationLead: "{inviter} ti invita a entrare in {organization}.",
  invitationNote: "Se non aspettavi questo invito, ignora questo messaggio.",

  passwordChangedSubject: "La tua password è stata cambiata",
  passwordChangedLead: "La password del tuo account {sender} è stata cambiata.",
  passwordChangedNote: "Se non sei stato tu, scegli subito una nuova password: inizia ad accedere e seleziona «Password dimenticata?».",

  blockedSubject: "Troppe password errate per il tuo account",
  blockedLead:
    "Ci sono stati troppi tentativi di accesso al tuo account {sender} con una password errata. L’accesso con password è bloccato per alcuni minuti.",
  blockedNote:
    "Se sei stato tu, aspetta alcuni minuti e riprova. Altrimenti i tentativi sono falliti. Una password che non usi altrove protegge il tuo account.",

  newDeviceSubject: "Nuovo accesso al tuo account",
  newDeviceLead: "È stato eseguito un accesso al tuo account {sender} da un nuovo dispositivo.",
  newDeviceNote: "Se sei stato tu, non devi fare nulla. Altrimenti scegli subito una nuova password.",

  factorCodeSubject: "Il tuo codice di verifica per {app}",
  factorCodeLead: "Inserisci questo codice per completare l’accesso a {app}:",
  factorCodeNote: "Non condividere questo codice. Se non stavi tentando di accedere, qualcuno conosce la tua password: scegline una nuova.",
  factorCodeText: "{code} è il tuo codice di verifica per {app}. Non condividerlo.",
  factorCodeSpoken: "Il tuo codice di verifica per {app} è {code}. Ripetiamo: {code}. Non condividerlo.",
  factorAddedSubject: "Un metodo di accesso è stato aggiunto al tuo account",
  factorAddedLead: "La verifica in due passaggi del tuo account {sender} ha ora un altro metodo: {factor}.",
  factorRemovedSubject: "Un metodo di accesso è stato rimosso dal tuo account",
  factorRemovedLead: "La verifica in due passaggi del tuo account {sender} non ha più questo metodo: {factor}.",
  factorUpdatedSubject: "Un metodo di accesso del tuo account è stato modificato",
  factorUpdatedLead: "Nella verifica in due passaggi del tuo account {sender} è stato modificato questo metodo: {factor}.",
  factorChangedNote: "Se sei stato tu, non devi fare nulla. Altrimenti scegli subito una nuova password e contatta {sender}.",
  factorReplacedSubject: "Un metodo di accesso del tuo account è stato sostituito",
  factorReplacedLead:
    "Questo metodo della verifica in due passaggi del tuo account {sender} è stato sostituito: {factor}. Il precedente non funziona più.",

  enrollSubject: "Configura la verifica in due passaggi per il tuo account",
  enrollLead: "Aggiungi un altro metodo per confermare l’accesso a {sender}.",
  enrollNote:
    "Il link è valido per cinque giorni e si può usare una volta. Se non hai un account presso {sender}, ignora questo messaggio.",
  factorAdministratorNote: "Un amministratore ha effettuato questa modifica. Se non te l’aspettavi, contatta {sender}.",
  factorLockedSubject: "Troppi codici errati per il tuo account",
  factorLockedLead:
    "Qualcuno ha inserito la tua password per {sender} e poi troppi codici errati. Questo metodo della verifica in due passaggi è bloccato per alcuni minuti.",
  factorLockedNote: "Se sei stato tu, aspetta alcuni minuti o usa un altro metodo. Altrimenti scegli subito una nuova password.",

  deletionSubject: "Il tuo account verrà eliminato",
  deletionReminderSubject: "Il tuo account verrà eliminato a breve",
  deletionLead: "Il tuo account {sender} verrà eliminato il {time}, come hai richiesto.",
  deletionKeep: "Per conservare l’account, accedi prima.",
  deletionNote: "Se non sei stato tu, accedi subito, conserva l’account e scegli una nuova password.",

  linkCodeSubject: "Il tuo codice per collegare {provider}",
  linkCodeLead: "Inserisci questo codice per collegare {provider} al tuo account {sender}:",
  linkCodeNote: "Poi potrai accedere anche con {provider}. Se non l’hai richiesto, ignora questo messaggio e non condividere il codice.",

  accountLinkedSubject: "{provider} è stato collegato al tuo account",
  accountLinkedLead: "Ora puoi accedere al tuo account {sender} anche con {provider}.",
  accountLinkedNote: "Se sei stato tu, non devi fare nulla. Altrimenti contatta subito {sender}.",

  accountExistsSubject: "Hai già un account",
  accountExistsLead: "C’è stato un tentativo di registrazione su {sender} con questo indirizzo. Hai già un account: accedi con quello.",
  accountExistsNote:
    "Se hai dimenticato la password, puoi sceglierne una nuova quando accedi. Se non sei stato tu, ignora questo messaggio. Non è cambiato nulla.",
};
