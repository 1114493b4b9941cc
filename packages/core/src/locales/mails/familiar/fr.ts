import type { MailTexts } from "../texts.ts";

/** What mails and text messages say in other words where people are addressed familiarly in French. */
export const frFamiliar: Partial<MailTexts> = {
  codeOrLink: "Ou utilise ce lien :",
  linkInstead: "Si le bouton ne fonctionne pas, copie cette adresse dans ton navigateur :",

  verifySubject: "Confirme ton adresse e-mail",
  verifyLead: "Confirme que {address} est bien ton adresse, pour que {sender} sache que ce compte est le tien.",
  verifyNote: "Si tu n’as pas de compte chez {sender}, ignore ce message.",

  welcomeLead: "Ton compte chez {sender} est prêt. Tu te connectes avec {address}.",

  resetSubject: "Choisis un nouveau mot de passe",
  resetLead: "Quelqu’un a demandé un nouveau mot de passe pour ton compte chez {sender}.",
  resetNote: "Si ce n’était pas toi, ignore ce message : ton mot de passe reste inchangé.",

  loginCodeSubject: "Ton code de connexion à {app}",
  loginCodeLead: "Saisis ce code pour te connecter à {app} :",
  loginCodeNote:
    "Ne donne ce code à personne : il permet de se connecter à ta place. Si tu ne voulais pas te connecter, ignore ce message.",
  loginCodeText: "{code} est ton code de connexion à {app}. Ne le donne à personne.",
  loginLinkLead: "Utilise ce lien pour te connecter à {app}.",
  loginLinkNote:
    "Ne donne ce lien à personne : il permet de se connecter à ta place. Si tu ne voulais pas te connecter, ignore ce message.",
  loginLinkText: "Connecte-toi à {app} avec ce lien. Ne le donne à personne.",

  invitationSubject: "{inviter} t’invite à rejoindre {organization}",
  invitationLead: "{inviter} t’invite à rejoindre {organization}.",
  invitationNote: "Si tu ne sais pas pourquoi tu reçois ce message, ne fais rien.",

  passwordChangedSubject: "Ton mot de passe a été modifié",
  passwordChangedLead: "Le mot de passe de ton compte chez {sender} a été modifié.",
  passwordChangedNote:
    "Si ce n’était pas toi, choisis tout de suite un nouveau mot de passe : commence à te connecter et indique que tu as oublié le mot de passe.",

  blockedSubject: "Trop de mots de passe incorrects pour ton compte",
  blockedLead:
    "Quelqu’un a essayé des mots de passe incorrects pour ton compte chez {sender}. Pendant quelques minutes, personne ne peut s’y connecter par mot de passe.",
  blockedNote:
    "Si c’était toi, patiente un peu et réessaie. Sinon, personne n’est entré ; un mot de passe que tu n’utilises nulle part ailleurs continue de te protéger.",

  newDeviceSubject: "Nouvelle connexion à ton compte",
  newDeviceLead: "Quelqu’un s’est connecté à ton compte chez {sender} depuis un appareil qui n’avait jamais été utilisé.",
  newDeviceNote: "Si c’était toi, il n’y a rien à faire. Sinon, choisis tout de suite un nouveau mot de passe.",

  linkCodeSubject: "Ton code pour associer {provider}",
  linkCodeLead: "Saisis ce code pour associer {provider} à ton compte chez {sender} :",
  linkCodeNote:
    "Ensuite, {provider} permettra aussi de se connecter à ton compte. Si tu n’as rien demandé, ignore ce message et ne donne ce code à personne.",

  accountLinkedSubject: "{provider} a été associé à ton compte",
  accountLinkedLead: "{provider} permet désormais aussi de se connecter à ton compte chez {sender}.",
  accountLinkedNote: "Si c’était toi, il n’y a rien à faire. Sinon, contacte {sender} tout de suite.",

  accountExistsSubject: "Tu as déjà un compte",
  accountExistsLead: "Quelqu’un a voulu s’inscrire chez {sender} avec cette adresse. Tu y as déjà un compte : connecte-toi plutôt.",
  accountExistsNote:
    "Si tu as oublié le mot de passe, choisis-en un nouveau à l’endroit où tu te connectes. Si ce n’était pas toi, ignore ce message : rien n’a changé.",
};
