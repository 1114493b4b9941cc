import type { Messages } from "../messages.ts";

/** French that says "tu". */
export const frFamiliar: Partial<Messages> = {
  againTitle: "Confirme ton identité",
  identifierLeadPlain: "avec ton compte {tenant}",

  passwordTitle: "Saisis ton mot de passe",
  passwordChangeName: "Modifier le compte avec lequel tu te connectes",

  addressInvalid: "Aucun code ne peut être envoyé à cette adresse. Vérifie ta saisie.",

  signUpTitle: "Crée ton compte",
  emailMalformed: "Ce n’est pas une adresse e-mail. Vérifie ta saisie.",
  usernameMalformed: "Ce nom d’utilisateur n’est pas possible ici. Choisis-en un autre.",
  usernameTaken: "Ce nom d’utilisateur est déjà pris. Choisis-en un autre.",
  phoneMalformed: "Saisis ton numéro de téléphone avec + et l’indicatif du pays.",
  accountTaken: "Impossible de créer un compte avec ces informations. Si tu en as un, connecte-toi.",

  codeTitleEmail: "Consulte tes e-mails",
  codeTitleSms: "Consulte tes messages",
  codeLeadEmail: "Saisis le code que nous avons envoyé à {address}.",
  codeLeadSms: "Saisis le code que nous avons envoyé par SMS à {address}.",
  codeLeadReset: "S’il existe un compte pour {address}, nous y avons envoyé un code. Saisis-le ici.",
  codeLeadAccount: "Si ce compte existe, nous avons envoyé un code à son adresse e-mail. Saisis-le ici.",
  codeMissing: "Saisis le code que nous t’avons envoyé.",
  codeWrong: "Ce code est incorrect ou n’est plus valable. Vérifie-le ou demandes-en un autre.",
  codesTooMany: "Trop de codes ont été envoyés. Utilise le dernier ou réessaie dans 10 minutes.",
  codeChangeSignUp: "Modifier tes informations",
  codeUsePassword: "Utiliser plutôt ton mot de passe",

  resetTitle: "Réinitialise ton mot de passe",
  resetLead: "Nous t’enverrons un code et un lien pour en définir un nouveau.",
  newPasswordTitle: "Choisis un nouveau mot de passe",
  newPasswordNote: "Tu seras déconnecté partout ailleurs.",

  identifierMissing: "Saisis ton adresse e-mail, ton nom d’utilisateur ou ton numéro de téléphone.",
  missingEmail: "Saisis ton adresse e-mail.",
  missingUsername: "Saisis ton nom d’utilisateur.",
  missingPhone: "Saisis ton numéro de téléphone.",
  missingEmailUsername: "Saisis ton adresse e-mail ou ton nom d’utilisateur.",
  missingEmailPhone: "Saisis ton adresse e-mail ou ton numéro de téléphone.",
  missingUsernamePhone: "Saisis ton nom d’utilisateur ou ton numéro de téléphone.",
  passwordMissing: "Saisis ton mot de passe.",
  wrongCredentials: "Adresse e-mail ou mot de passe incorrect. Réessaie.",
  tooManyAttempts: "Trop de tentatives. Réessaie dans 5 minutes.",
  wrongCredentialsOrReset: "Adresse e-mail ou mot de passe incorrect. Réessaie ou réinitialise ton mot de passe.",
  tooManyAttemptsOrReset: "Trop de tentatives. Réessaie dans 5 minutes ou réinitialise ton mot de passe.",
  blocked: "Ce compte est bloqué. Demande de l’aide à l’équipe de {tenant}.",

  consentTitle: "Autoriser {client} à utiliser ton compte ?",
  consentAccount: "Tu utilises le compte {account}",
  consentNothing: "{client} demande seulement à savoir que c’est toi.",
  consentNotYou: "Pas toi ?",
  consentNotYouName: "Pas toi ? Utiliser un autre compte",
  consentTrust: "Tu retourneras ensuite sur {destination}. N’accepte que si tu fais confiance à {client}.",
  scopeOpenid: "Savoir que c’est toi",
  scopeProfile: "Voir ton nom, ta photo et d’autres informations de profil",
  scopeEmail: "Voir ton adresse e-mail",
  scopePhone: "Voir ton numéro de téléphone",
  scopeAddress: "Voir ton adresse postale",
  scopeOfflineAccess: "Conserver cet accès en ton absence",

  accountTitle: "Choisis un compte",

  organizationTitle: "Choisis une organisation",
  organizationNone: "Aucune organisation ne porte ce nom. Vérifie l’orthographe.",

  invitationLead: "{inviter} t’invite à rejoindre {organization}.",
  invitationOther: "Cette invitation est destinée à {email}. Connecte-toi avec ce compte pour l’accepter.",

  createAccountTitle: "Crée ton compte",
  createAccountPassword: "Choisis un mot de passe",
  demandsAll: "Ton mot de passe remplit toutes les conditions.",
  passwordTooCommon: "Trop de personnes utilisent ce mot de passe. Choisis-en un autre.",
  passwordPersonal: "Ce mot de passe contient ton nom ou ton adresse. Choisis-en un autre.",
  passwordLeaked:
    "Ce mot de passe figure dans une fuite de données d’un autre service. Choisis-en un que tu n’utilises nulle part ailleurs.",

  linkConfirmTitle: "Confirme ton adresse e-mail",
  linkConfirmLead: "Ton compte {tenant} est associé à cette adresse. Confirme que c’est la tienne.",
  linkAskTitle: "As-tu créé ce compte ?",
  linkAskLead: "Il existe un compte {tenant} avec ton adresse.",
  linkAskNote:
    "S’il n’est pas à toi, quelqu’un d’autre l’a créé avec ton adresse. Dis-le, et cette personne ne pourra plus l’utiliser : son mot de passe ne sera plus valable et sa session sera fermée.",
  linkVerifiedTitle: "Ton adresse est confirmée",
  linkVerifiedLead: "Tu peux continuer dans l’application.",
  linkDisownedLead: "Plus personne ne peut se connecter à ce compte. Si tu souhaites l’utiliser, définis un mot de passe.",
  passwordFormer: "Tu as déjà utilisé ce mot de passe. Choisis-en un autre.",
  linkChangedTitle: "Ton mot de passe a été modifié",
  linkChangedLead: "Toutes tes sessions ont été fermées. Connecte-toi avec ton nouveau mot de passe.",
  linkUsedLead:
    "Un mot de passe a été défini avec ce lien. Si c’était toi, ouvre l’application et connecte-toi. Sinon, demande un nouveau lien.",
  linkSentTitle: "Consulte tes e-mails",
  linkSentLead:
    "Si nous te connaissons, un lien pour choisir un nouveau mot de passe est en route. Il est valable une heure. Si rien n’arrive, regarde dans tes courriers indésirables ou réessaie.",
  linkExpiredLead: "Les liens envoyés par e-mail ont une durée limitée. Nous pouvons t’en envoyer un nouveau.",
  linkUnknownLead: "Il est peut-être incomplet ou trop ancien. Ouvre à nouveau le lien dans l’e-mail, ou copie-le en entier.",
  linkRequestLead: "Dis-nous qui tu es. Nous enverrons à l’adresse de ton compte un lien pour choisir un nouveau mot de passe.",

  linkCodeLead: "Ce lien te connecte ici, dans ce navigateur.",
  linkCodeNote: "Si tu n’as pas demandé ce lien, ou si l’adresse n’est pas la tienne, ferme cette page.",
  linkCodeUsed: "Il a déjà été utilisé ou a expiré. Retourne dans l’application et demandes-en un nouveau.",

  logoutLead: "Tu vas te déconnecter de {tenant} dans ce navigateur.",
  logoutStay: "Pour ne pas te déconnecter, ferme simplement cette page.",

  loggedOutLead: "Tu peux maintenant fermer cette page.",

  errorLead:
    "Cette demande pose un problème. Retourne dans l’application et recommence. Si cela ne suffit pas, transmets ces informations à son assistance.",
  expiredLead:
    "Elle est restée ouverte trop longtemps, ou la connexion a commencé dans un autre navigateur. Retourne dans l’application et recommence.",
  noLoginTitle: "Commence dans l’application",
  noLoginLead:
    "Cette adresse ne permet pas de se connecter : il s’agit peut-être d’un favori. Ouvre l’application que tu souhaites utiliser et connecte-t’y.",
  notFoundLead: "L’adresse est peut-être mal saisie, ou la page n’existe plus. Retourne dans l’application et recommence.",
  cookiesTitle: "Ton navigateur a bloqué un cookie",
  cookiesLead:
    "Cette page a besoin d’un cookie pour reconnaître ton navigateur. Autorise les cookies pour ce site, puis retourne dans l’application et recommence. Une fenêtre privée ou un autre navigateur fonctionne aussi.",
  invitationExpiredLead: "Demande une nouvelle invitation à la personne qui t’a invité.",
  invitationUsedLead: "Si c’était toi, ouvre l’application et connecte-toi. Sinon, demandes-en une nouvelle à la personne qui t’a invité.",
  invitationWithdrawnLead: "Demande à la personne qui t’a invité si tu es toujours attendu.",
  answeredLead: "Il n’y a plus rien à faire ici. Continue dans l’application.",

  formPostLead: "Si rien ne se passe au bout de quelques secondes, utilise le bouton.",
  providerDeclined: "Tu n’as pas terminé la connexion là-bas. Réessaie, ou connecte-toi autrement.",
  providerFailed: "La connexion là-bas n’a pas fonctionné. Réessaie, ou connecte-toi autrement.",
  noAccountHere: "Tu n’as pas encore de compte ici, et il n’est pas possible d’en créer un ainsi. Connecte-toi autrement.",
  linkAccountTitle: "Tu as déjà un compte",
  linkAccountLead: "Un compte ici a l’adresse {email}. Connecte-toi une fois à ce compte, et {provider} t’y connectera aussi ensuite.",
  linkAccountFailed: "Ce compte {provider} ne peut pas être associé à ton compte ici. Tu peux continuer avec lui comme compte séparé.",
};
