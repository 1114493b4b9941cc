import type { Messages } from "../messages.ts";

/** French that says "tu". */
export const frFamiliar: Partial<Messages> = {
  againTitle: "Confirme ton identité",
  identifierLeadPlain: "avec ton compte {tenant}",

  passwordTitle: "Saisis ton mot de passe",
  passwordChangeName: "Modifier le compte avec lequel tu te connectes",

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
  passwordTooCommon: "Trop de personnes utilisent ce mot de passe. Choisis-en un autre.",
  passwordPersonal: "Ce mot de passe contient ton nom ou ton adresse. Choisis-en un autre.",

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
};
