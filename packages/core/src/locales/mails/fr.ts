import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in French. */
export const fr: MailTexts = {
  direction: "ltr",

  codeOrLink: "Ou utilisez ce lien :",
  linkInstead: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :",
  footer: "Envoyé à {address} par {sender}.",
  help: "Obtenir de l’aide",

  verifySubject: "Confirmez votre adresse e-mail",
  verifyLead: "Confirmez que {address} est bien votre adresse, pour que {sender} sache que ce compte est le vôtre.",
  verifyButton: "Confirmer l’adresse",
  verifyNote: "Si vous n’avez pas de compte chez {sender}, ignorez ce message.",

  welcomeSubject: "Bienvenue chez {sender}",
  welcomeLead: "Votre compte chez {sender} est prêt. Vous vous connectez avec {address}.",

  resetSubject: "Choisissez un nouveau mot de passe",
  resetLead: "Quelqu’un a demandé un nouveau mot de passe pour votre compte chez {sender}.",
  resetButton: "Choisir un nouveau mot de passe",
  resetNote: "Si ce n’était pas vous, ignorez ce message : votre mot de passe reste inchangé.",

  loginCodeSubject: "Votre code de connexion à {app}",
  loginCodeLead: "Saisissez ce code pour vous connecter à {app} :",
  loginCodeNote:
    "Ne donnez ce code à personne : il permet de se connecter à votre place. Si vous ne vouliez pas vous connecter, ignorez ce message.",
  loginCodeText: "{code} est votre code de connexion à {app}. Ne le donnez à personne.",
  loginLinkSubject: "Connexion à {app}",
  loginLinkLead: "Utilisez ce lien pour vous connecter à {app}.",
  loginLinkNote:
    "Ne donnez ce lien à personne : il permet de se connecter à votre place. Si vous ne vouliez pas vous connecter, ignorez ce message.",
  loginLinkText: "Connectez-vous à {app} avec ce lien. Ne le donnez à personne.",
  loginButton: "Se connecter",

  invitationSubject: "{inviter} vous invite à rejoindre {organization}",
  invitationLead: "{inviter} vous invite à rejoindre {organization}.",
  invitationButton: "Accepter l’invitation",
  invitationUntil: "L’invitation est valable jusqu’au {time}.",
  invitationNote: "Si vous ne savez pas pourquoi vous recevez ce message, ne faites rien.",

  passwordChangedSubject: "Votre mot de passe a été modifié",
  passwordChangedLead: "Le mot de passe de votre compte chez {sender} a été modifié.",
  passwordChangedNote:
    "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe : commencez à vous connecter et indiquez que vous avez oublié le mot de passe.",

  blockedSubject: "Trop de mots de passe incorrects pour votre compte",
  blockedLead:
    "Quelqu’un a essayé des mots de passe incorrects pour votre compte chez {sender}. Pendant quelques minutes, personne ne peut s’y connecter par mot de passe.",
  blockedNote:
    "Si c’était vous, patientez un peu et réessayez. Sinon, personne n’est entré ; un mot de passe que vous n’utilisez nulle part ailleurs continue de vous protéger.",

  newDeviceSubject: "Nouvelle connexion à votre compte",
  newDeviceLead: "Quelqu’un s’est connecté à votre compte chez {sender} depuis un appareil qui n’avait jamais été utilisé.",
  newDeviceNote: "Si c’était vous, il n’y a rien à faire. Sinon, choisissez tout de suite un nouveau mot de passe.",

  linkCodeSubject: "Votre code pour associer {provider}",
  linkCodeLead: "Saisissez ce code pour associer {provider} à votre compte chez {sender} :",
  linkCodeNote:
    "Ensuite, {provider} permettra aussi de se connecter à votre compte. Si vous n’avez rien demandé, ignorez ce message et ne donnez ce code à personne.",

  accountLinkedSubject: "{provider} a été associé à votre compte",
  accountLinkedLead: "{provider} permet désormais aussi de se connecter à votre compte chez {sender}.",
  accountLinkedNote: "Si c’était vous, il n’y a rien à faire. Sinon, contactez {sender} tout de suite.",

  accountExistsSubject: "Vous avez déjà un compte",
  accountExistsLead: "Quelqu’un a voulu s’inscrire chez {sender} avec cette adresse. Vous y avez déjà un compte : connectez-vous plutôt.",
  accountExistsNote:
    "Si vous avez oublié le mot de passe, choisissez-en un nouveau à l’endroit où vous vous connectez. Si ce n’était pas vous, ignorez ce message : rien n’a changé.",

  factTime: "Heure",
  factDevice: "Appareil",
  factAddress: "Adresse réseau",
};
