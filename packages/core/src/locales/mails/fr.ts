import type { MailTexts } from "./texts.ts";

/** The French texts for mails and text messages. */
export const frMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "Ou utilisez ce lien :",
  linkInstead: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :",
  footer: "Envoyé à {address} par {sender}.",
  help: "Obtenir de l’aide",

  verifySubject: "Confirmez votre adresse e-mail",
  verifyLead: "Confirmez que {address} est bien l’adresse e-mail de votre compte chez {sender}.",
  verifyButton: "Confirmer l’adresse",
  verifyNote: "Si vous n’avez pas de compte chez {sender}, ignorez ce message.",

  welcomeSubject: "Bienvenue chez {sender}",
  welcomeLead: "Votre compte chez {sender} est prêt. Connectez-vous avec {address}.",

  testSubject: "E-mail de test de {sender}",
  testLead: "Vous avez envoyé cet e-mail le {time} pour tester les paramètres d’e-mail de {sender}.",

  resetSubject: "Choisissez un nouveau mot de passe",
  resetLead: "Nous avons reçu une demande de nouveau mot de passe pour votre compte chez {sender}.",
  resetButton: "Choisir un nouveau mot de passe",
  resetNote: "Si vous n’êtes pas à l’origine de cette demande, ignorez ce message. Votre mot de passe reste inchangé.",

  enrollSubject: "Configurez la validation en deux étapes de votre compte",
  enrollLead: "Ajoutez une autre méthode pour confirmer votre connexion à {sender}.",
  enrollButton: "Configurer",
  enrollNote:
    "Le lien est valable cinq jours et ne peut servir qu’une fois. Si vous n’avez pas de compte chez {sender}, ignorez ce message.",

  loginCodeSubject: "Votre code de connexion à {app}",
  loginCodeLead: "Saisissez ce code pour vous connecter à {app} :",
  loginCodeNote:
    "Ne communiquez pas ce code : il permet de se connecter à votre place. Si vous n’essayiez pas de vous connecter, ignorez ce message.",
  loginCodeText: "{code} est votre code de connexion à {app}. Ne le communiquez à personne.",
  loginLinkSubject: "Connexion à {app}",
  loginLinkLead: "Utilisez ce lien pour vous connecter à {app}.",
  loginLinkNote:
    "Ne communiquez pas ce lien : il permet de se connecter à votre place. Si vous n’essayiez pas de vous connecter, ignorez ce message.",
  loginLinkText: "Connectez-vous à {app} avec ce lien. Ne le communiquez à personne.",
  loginButton: "Se connecter",

  invitationSubject: "{inviter} vous invite à rejoindre {organization}",
  invitationLead: "{inviter} vous invite à rejoindre {organization}.",
  invitationButton: "Accepter l’invitation",
  invitationUntil: "L’invitation est valable jusqu’au {time}.",
  invitationNote: "Si vous n’attendiez pas cette invitation, ignorez ce message.",

  passwordChangedSubject: "Votre mot de passe a été modifié",
  passwordChangedLead: "Le mot de passe de votre compte chez {sender} a été modifié.",
  passwordChangedNote:
    "Si ce n’était pas vous, choisissez sans attendre un nouveau mot de passe : commencez à vous connecter et sélectionnez « Mot de passe oublié ? ».",

  blockedSubject: "Trop de mots de passe incorrects pour votre compte",
  blockedLead:
    "Trop de tentatives de connexion à votre compte chez {sender} ont été faites avec un mot de passe incorrect. La connexion par mot de passe est bloquée pendant quelques minutes.",
  blockedNote:
    "Si c’était vous, attendez quelques minutes et réessayez. Sinon, les tentatives ont échoué. Un mot de passe que vous n’utilisez nulle part ailleurs protège votre compte.",

  newDeviceSubject: "Nouvelle connexion à votre compte",
  newDeviceLead: "Une connexion à votre compte chez {sender} a eu lieu depuis un nouvel appareil.",
  newDeviceNote: "Si c’était vous, vous n’avez rien à faire. Sinon, choisissez sans attendre un nouveau mot de passe.",

  factorCodeSubject: "Votre code de validation pour {app}",
  factorCodeLead: "Saisissez ce code pour terminer la connexion à {app} :",
  factorCodeNote:
    "Ne communiquez pas ce code. Si vous n’essayiez pas de vous connecter, quelqu’un connaît votre mot de passe : choisissez-en un nouveau.",
  factorCodeText: "{code} est votre code de validation pour {app}. Ne le communiquez à personne.",
  factorCodeSpoken: "Votre code de validation pour {app} est {code}. Nous répétons : {code}. Ne le communiquez à personne.",
  factorTotp: "application d’authentification",
  factorPhone: "téléphone",
  factorEmail: "adresse e-mail",
  factorRecoveryCode: "code de secours",
  factorSecurityKey: "clé de sécurité",
  factorDevice: "appareil",
  factorPasskey: "clé d’accès",
  factorAddedSubject: "Une méthode de connexion a été ajoutée à votre compte",
  factorAddedLead: "La validation en deux étapes de votre compte chez {sender} a une nouvelle méthode : {factor}.",
  factorRemovedSubject: "Une méthode de connexion a été supprimée de votre compte",
  factorRemovedLead: "La validation en deux étapes de votre compte chez {sender} n’a plus cette méthode : {factor}.",
  factorUpdatedSubject: "Une méthode de connexion de votre compte a été modifiée",
  factorUpdatedLead: "Cette méthode de la validation en deux étapes de votre compte chez {sender} a été modifiée : {factor}.",
  factorChangedNote:
    "Si c’était vous, vous n’avez rien à faire. Sinon, choisissez sans attendre un nouveau mot de passe et contactez {sender}.",
  factorReplacedSubject: "Une méthode de connexion de votre compte a été remplacée",
  factorReplacedLead:
    "Cette méthode de validation en deux étapes de votre compte chez {sender} a été remplacée : {factor}. L’ancienne ne fonctionne plus.",
  factorUndoButton: "Ce n’était pas moi",
  factorUndoNote:
    "Le bouton ferme toutes les sessions du compte et suspend les modifications des méthodes de connexion pendant 24 heures. Il fonctionne pendant 7 jours.",

  factorAdministratorNote: "Un administrateur a effectué ce changement. Si vous ne vous y attendiez pas, contactez {sender}.",
  factorLockedSubject: "Trop de codes incorrects pour votre compte",
  factorLockedLead:
    "Quelqu’un a saisi votre mot de passe pour {sender}, puis trop de codes incorrects. Cette méthode de validation en deux étapes est bloquée pendant quelques minutes.",
  factorLockedNote:
    "Si c’était vous, attendez quelques minutes ou utilisez une autre méthode. Sinon, choisissez sans attendre un nouveau mot de passe.",

  deletionSubject: "Votre compte sera supprimé",
  deletionReminderSubject: "Votre compte sera bientôt supprimé",
  deletionLead: "Votre compte {sender} sera supprimé le {time}, comme vous l’avez demandé.",
  deletionKeep: "Pour conserver le compte, connectez-vous avant.",
  deletionNote: "Si ce n’était pas vous, connectez-vous maintenant, conservez le compte et choisissez un nouveau mot de passe.",

  linkCodeSubject: "Votre code pour associer {provider}",
  linkCodeLead: "Saisissez ce code pour associer {provider} à votre compte chez {sender} :",
  linkCodeNote:
    "Vous pourrez ensuite vous connecter aussi avec {provider}. Si vous n’êtes pas à l’origine de cette demande, ignorez ce message et ne communiquez pas le code.",

  accountLinkedSubject: "{provider} a été associé à votre compte",
  accountLinkedLead: "Vous pouvez désormais aussi vous connecter à votre compte chez {sender} avec {provider}.",
  accountLinkedNote: "Si c’était vous, vous n’avez rien à faire. Sinon, contactez {sender} sans attendre.",

  accountExistsSubject: "Vous avez déjà un compte",
  accountExistsLead: "Quelqu’un a essayé de s’inscrire chez {sender} avec cette adresse. Vous avez déjà un compte : connectez-vous plutôt.",
  accountExistsNote:
    "Si vous avez oublié votre mot de passe, vous pouvez en choisir un nouveau lors de la connexion. Si ce n’était pas vous, ignorez ce message. Rien n’a changé.",

  addressCodeSubject: "Code pour confirmer cette adresse auprès de {sender}",
  addressCodeLead: "Ce code permet d’utiliser cette adresse pour le compte {sender} :",
  addressCodeNote: "Ne pas partager ce code. S’il n’a pas été demandé, ignorer ce message.",
  addressCodeText: "{code} est le code pour utiliser ce numéro avec {sender}. Ne pas le partager.",
  addressInUseSubject: "Cette adresse est déjà utilisée",
  addressInUseLead: "Un autre compte {sender} devait recevoir cette adresse. Elle appartient déjà à un compte, donc rien n’a changé.",
  addressInUseNote: "Si cette demande est légitime, se connecter plutôt avec cette adresse. Sinon, ignorer ce message.",
  emailChangedSubject: "L’adresse e-mail a été modifiée",
  emailChangedLead: "L’adresse e-mail du compte {sender} a été modifiée.",
  phoneChangedSubject: "Le numéro de téléphone a été modifié",
  phoneChangedLead: "Le numéro de téléphone du compte {sender} a été modifié.",
  usernameChangedSubject: "Le nom d’utilisateur a été modifié",
  usernameChangedLead: "Le nom d’utilisateur du compte {sender} a été modifié.",
  accountAddedSubject: "Un compte a été associé",
  accountAddedLead: "Un autre compte permet désormais de se connecter au compte {sender}.",
  accountUnlinkedSubject: "Un compte a été dissocié",
  accountUnlinkedLead: "Un compte associé ne permet plus de se connecter au compte {sender}.",
  accountChangedNote:
    "Si cette modification est voulue, il n’y a rien à faire. Sinon, utiliser le bouton sans attendre et contacter {sender}.",
  factTime: "Heure",
  factDevice: "Appareil",
  factAddress: "Adresse IP",
};
