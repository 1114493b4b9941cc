import type { MailTexts } from "../texts.ts";

/** The French texts for mails that differ with the familiar form of address, "tu". */
export const frFamiliarMails: Partial<MailTexts> = {
  codeOrLink: "Ou utilise ce lien :",
  linkInstead: "Si le bouton ne fonctionne pas, copie cette adresse dans ton navigateur :",

  verifySubject: "Confirme ton adresse e-mail",
  verifyLead: "Confirme que {address} est bien l’adresse e-mail de ton compte chez {sender}.",
  verifyNote: "Si tu n’as pas de compte chez {sender}, ignore ce message.",

  welcomeLead: "Ton compte chez {sender} est prêt. Connecte-toi avec {address}.",
  testLead: "Tu as envoyé cet e-mail le {time} pour tester les paramètres d’e-mail de {sender}.",

  resetSubject: "Choisis un nouveau mot de passe",
  resetLead: "Nous avons reçu une demande de nouveau mot de passe pour ton compte chez {sender}.",
  resetNote: "Si tu n’es pas à l’origine de cette demande, ignore ce message. Ton mot de passe reste inchangé.",

  loginCodeSubject: "Ton code de connexion à {app}",
  loginCodeLead: "Saisis ce code pour te connecter à {app} :",
  loginCodeNote:
    "Ne communique pas ce code : il permet de se connecter à ta place. Si tu n’essayais pas de te connecter, ignore ce message.",
  loginCodeText: "{code} est ton code de connexion à {app}. Ne le communique à personne.",
  loginLinkLead: "Utilise ce lien pour te connecter à {app}.",
  loginLinkNote:
    "Ne communique pas ce lien : il permet de se connecter à ta place. Si tu n’essayais pas de te connecter, ignore ce message.",
  loginLinkText: "Connecte-toi à {app} avec ce lien. Ne le communique à personne.",

  invitationSubject: "{inviter} t’invite à rejoindre {organization}",
  invitationLead: "{inviter} t’invite à rejoindre {organization}.",
  invitationNote: "Si tu n’attendais pas cette invitation, ignore ce message.",

  passwordChangedSubject: "Ton mot de passe a été modifié",
  passwordChangedLead: "Le mot de passe de ton compte chez {sender} a été modifié.",
  passwordChangedNote:
    "Si ce n’était pas toi, choisis sans attendre un nouveau mot de passe : commence à te connecter et sélectionne « Mot de passe oublié ? ».",

  blockedSubject: "Trop de mots de passe incorrects pour ton compte",
  blockedLead:
    "Trop de tentatives de connexion à ton compte chez {sender} ont été faites avec un mot de passe incorrect. La connexion par mot de passe est bloquée pendant quelques minutes.",
  blockedNote:
    "Si c’était toi, attends quelques minutes et réessaie. Sinon, les tentatives ont échoué. Un mot de passe que tu n’utilises nulle part ailleurs protège ton compte.",

  newDeviceSubject: "Nouvelle connexion à ton compte",
  newDeviceLead: "Une connexion à ton compte chez {sender} a eu lieu depuis un nouvel appareil.",
  newDeviceNote: "Si c’était toi, tu n’as rien à faire. Sinon, choisis sans attendre un nouveau mot de passe.",

  factorCodeSubject: "Ton code de validation pour {app}",
  factorCodeLead: "Saisis ce code pour terminer la connexion à {app} :",
  factorCodeNote:
    "Ne communique pas ce code. Si tu n’essayais pas de te connecter, quelqu’un connaît ton mot de passe : choisis-en un nouveau.",
  factorCodeText: "{code} est ton code de validation pour {app}. Ne le communique à personne.",
  factorCodeSpoken: "Ton code de validation pour {app} est {code}. Nous répétons : {code}. Ne le communique à personne.",
  factorAddedSubject: "Une méthode de connexion a été ajoutée à ton compte",
  factorAddedLead: "La validation en deux étapes de ton compte chez {sender} a une nouvelle méthode : {factor}.",
  factorRemovedSubject: "Une méthode de connexion a été supprimée de ton compte",
  factorRemovedLead: "La validation en deux étapes de ton compte chez {sender} n’a plus cette méthode : {factor}.",
  factorUpdatedSubject: "Une méthode de connexion de ton compte a été modifiée",
  factorUpdatedLead: "Cette méthode de la validation en deux étapes de ton compte chez {sender} a été modifiée : {factor}.",
  factorChangedNote: "Si c’était toi, tu n’as rien à faire. Sinon, choisis sans attendre un nouveau mot de passe et contacte {sender}.",
  factorReplacedSubject: "Une méthode de connexion de ton compte a été remplacée",
  factorReplacedLead:
    "Cette méthode de validation en deux étapes de ton compte chez {sender} a été remplacée : {factor}. L’ancienne ne fonctionne plus.",

  enrollSubject: "Configure la validation en deux étapes de ton compte",
  enrollLead: "Ajoute une autre méthode pour confirmer ta connexion à {sender}.",
  enrollNote: "Le lien est valable cinq jours et ne peut servir qu’une fois. Si tu n’as pas de compte chez {sender}, ignore ce message.",
  factorAdministratorNote: "Un administrateur a effectué ce changement. Si tu ne t’y attendais pas, contacte {sender}.",
  factorLockedSubject: "Trop de codes incorrects pour ton compte",
  factorLockedLead:
    "Quelqu’un a saisi ton mot de passe pour {sender}, puis trop de codes incorrects. Cette méthode de validation en deux étapes est bloquée pendant quelques minutes.",
  factorLockedNote:
    "Si c’était toi, attends quelques minutes ou utilise une autre méthode. Sinon, choisis sans attendre un nouveau mot de passe.",

  deletionSubject: "Ton compte sera supprimé",
  deletionReminderSubject: "Ton compte sera bientôt supprimé",
  deletionLead: "Ton compte {sender} sera supprimé le {time}, comme tu l’as demandé.",
  deletionKeep: "Pour conserver le compte, connecte-toi avant.",
  deletionNote: "Si ce n’était pas toi, connecte-toi maintenant, conserve le compte et choisis un nouveau mot de passe.",

  linkCodeSubject: "Ton code pour associer {provider}",
  linkCodeLead: "Saisis ce code pour associer {provider} à ton compte chez {sender} :",
  linkCodeNote:
    "Tu pourras ensuite te connecter aussi avec {provider}. Si tu n’es pas à l’origine de cette demande, ignore ce message et ne communique pas le code.",

  accountLinkedSubject: "{provider} a été associé à ton compte",
  accountLinkedLead: "Tu peux désormais aussi te connecter à ton compte chez {sender} avec {provider}.",
  accountLinkedNote: "Si c’était toi, tu n’as rien à faire. Sinon, contacte {sender} sans attendre.",

  accountExistsSubject: "Tu as déjà un compte",
  accountExistsLead: "Quelqu’un a essayé de s’inscrire chez {sender} avec cette adresse. Tu as déjà un compte : connecte-toi plutôt.",
  accountExistsNote:
    "Si tu as oublié ton mot de passe, tu peux en choisir un nouveau lors de la connexion. Si ce n’était pas toi, ignore ce message. Rien n’a changé.",
};
