import type { Messages } from "../messages.ts";

/** The French texts for pages that differ with the familiar form of address, "tu". */
export const frFamiliar: Partial<Messages> = {
  againTitle: "Confirme ton identité",
  identifierLeadPlain: "avec ton compte {tenant}",

  passwordTitle: "Saisis ton mot de passe",

  addressInvalid: "Impossible d’envoyer un code à cette adresse. Vérifie ta saisie.",

  signUpTitle: "Crée ton compte",
  emailMalformed: "Cette adresse e-mail n’est pas valide. Vérifie ta saisie.",
  usernameMalformed: "Ce nom d’utilisateur n’est pas autorisé. Choisis-en un autre.",
  usernameTaken: "Ce nom d’utilisateur est déjà pris. Choisis-en un autre.",
  phoneMalformed: "Saisis ton numéro de téléphone avec + et l’indicatif du pays.",
  phoneMisspelled: "Saisis le numéro ainsi : {number}",
  phoneUsed: "Tu t’es connecté avec ce numéro. Ajoutes-en un autre.",
  accountTaken: "Impossible de créer un compte avec ces informations. Si tu en as un, connecte-toi.",

  codeTitleEmail: "Consulte tes e-mails",
  codeTitleSms: "Consulte tes messages",
  codeLeadEmail: "Saisis le code que nous avons envoyé à {address}.",
  codeLeadSms: "Saisis le code que nous avons envoyé par SMS à {address}.",
  codeLeadReset: "S’il existe un compte pour {address}, un code y a été envoyé. Saisis-le ici.",
  codeLeadAccount: "Si ce compte existe, un code a été envoyé à son adresse e-mail. Saisis-le ici.",
  codeMissing: "Saisis le code que nous t’avons envoyé.",
  codeWrong: "Ce code est incorrect ou n’est plus valable. Vérifie-le ou demandes-en un autre.",
  codesTooMany: "Trop de codes ont été envoyés. Utilise le dernier ou réessaie dans 10 minutes.",
  newNumbersTooMany:
    "Nous ne pouvons pas envoyer d’autres codes à de nouveaux numéros pour le moment. Utilise le dernier code ou réessaie dans une heure.",
  codeChangeSignUp: "Modifier tes informations",
  codeUsePassword: "Utiliser ton mot de passe",

  factorTitleTotp: "Saisis le code de l’application",
  factorTitlePhone: "Consulte tes messages",
  factorTitleEmail: "Consulte tes e-mails",
  factorTitleRecovery: "Saisis ton code de secours",
  factorTitleKey: "Utilise ta clé de sécurité",
  factorTitlePasskey: "Utilise ta clé d’accès",
  factorLeadTotp: "Ouvre ton application d’authentification et saisis le code à 6 chiffres pour {tenant}.",
  factorLeadCall: "Nous appellerons {address} pour te dicter un code.",
  factorLeadCalled: "Saisis le code donné lors de notre appel à {address}.",
  factorLeadEmail: "Saisis le code que nous avons envoyé à {address}.",
  factorLeadPhone: "Saisis le code que nous avons envoyé par SMS à {address}.",
  factorLeadRecovery:
    "Saisis le code de secours que tu as enregistré lors de la configuration de la validation en deux étapes. Il n’est utilisable qu’une fois.",
  factorLeadKey: "Confirme ton identité avec ta clé de sécurité.",
  factorLeadPasskey: "Confirme ton identité avec ton empreinte, ton visage ou le verrouillage de l’écran.",
  factorCodeMissing: "Saisis le code.",
  factorCodeWrong: "Ce code est incorrect ou n’est plus valable. Vérifie-le ou utilises-en un plus récent.",
  factorTooManyAttempts: "Trop de codes incorrects. Attends quelques minutes ou essaie une autre méthode.",
  factorAddedElsewhere: "Une autre méthode vient d’être ajoutée à ton compte. Utilise cette méthode pour continuer.",
  factorLocked:
    "Trop de tentatives. Tu pourras réessayer cette méthode à partir de {time}. D’ici là, utilise une autre méthode si tu en as une.",

  addFactorTitle: "Configure la validation en deux étapes",
  addFactorLead: "{tenant} exige une deuxième étape pour se connecter. Choisis comment confirmer ton identité.",
  addFactorPhoneHint: "Des codes envoyés à ton téléphone",
  webauthnAddLead: "Ton navigateur va te demander ta clé de sécurité. Suis ses instructions.",
  webauthnWaiting:
    "Ton navigateur attend ta clé d’accès ou de sécurité. Suis ses instructions, ou choisis une autre méthode si tu en as une.",
  webauthnNeedsScript:
    "Une clé d’accès ou de sécurité nécessite JavaScript et un navigateur compatible. Choisis une autre méthode si tu en as une.",
  webauthnFailed: "Cela n’a pas fonctionné. Réessaie ou choisis une autre méthode.",
  webauthnUnavailable: "Ta clé n’est pas utilisable à cette adresse web. Choisis une autre méthode si tu en as une.",

  passkeyFailed: "La connexion avec cette clé d’accès a échoué. Réessaie ou choisis une autre méthode.",
  newPasskeyTitle: "Crée une clé d’accès",
  newPasskeyLead: "Connecte-toi avec ton empreinte, ton visage ou le verrouillage de l’écran. Aucun mot de passe n’est nécessaire.",
  addPasskeyTitle: "Connecte-toi sans mot de passe",
  addPasskeyLead:
    "Crée une clé d’accès et connecte-toi la prochaine fois avec ton empreinte, ton visage ou le verrouillage de l’écran. Ton mot de passe reste valable.",
  addPasskeyDeviceTitle: "Crée une clé d’accès sur cet appareil",
  addPasskeyDeviceLead:
    "Tu t’es connecté avec la clé d’accès d’un autre appareil. Avec une clé sur cet appareil, tu n’auras plus besoin de l’autre la prochaine fois.",

  addTotpTitle: "Configure l’application d’authentification",
  addTotpLead: "Ajoute ton compte à une application d’authentification. Saisis ensuite le code qu’elle affiche.",
  addTotpScan: "Scanne ce code QR avec l’application :",
  addTotpQr: "Code QR pour ton application d’authentification",
  addTotpManual: "Ou saisis cette clé dans l’application :",
  addPhoneTitle: "Ajoute ton téléphone",

  addFactorFrozen:
    "Tu nous as signalé une modification de tes méthodes de connexion que tu n’as pas faite. Aucune méthode ne peut donc être ajoutée pendant 24 heures, et la connexion exige une deuxième étape. Réessaie plus tard ou contacte l’assistance.",
  securityMethods: "Tes méthodes de connexion",
  securityNone: "Tu n’as pas encore de deuxième étape. Avec elle, un mot de passe volé ne suffit pas pour se connecter.",
  securitySynced: "Synchronisée entre tes appareils",
  securityAddLead: "Choisis comment confirmer ton identité lors de la connexion.",
  securityRecoverySet: "Tu as un code de secours. Si tu l’as perdu, crées-en un nouveau.",
  securityRecoveryNone: "Avec un code de secours, tu peux te connecter une fois si tu perds tes autres méthodes.",
  securityRenameLead: "Choisis un nom qui te permettra de la reconnaître : {name}",
  securityNameMissing: "Saisis un nom.",
  securityRemoveLead: "Tu ne pourras plus confirmer ton identité avec : {name}",
  securityRemoveLast: "C’est ta seule deuxième étape. Sans elle, la connexion n’en demandera plus.",
  securityRequiredLead: "{tenant} exige une deuxième étape. Ajoute une autre méthode avant de supprimer celle-ci.",
  securityFrozenLead:
    "Tu nous as signalé une modification que tu n’as pas faite. Les méthodes de connexion ne peuvent donc pas être modifiées pendant 24 heures. Tu peux toujours les utiliser pour te connecter.",
  securityAgainLead:
    "Pour modifier tes méthodes de connexion, il faut une connexion datant de moins de 15 minutes. Déconnecte-toi ici, puis reconnecte-toi dans l’application.",
  securityUnavailableLead:
    "Aucune de tes méthodes de connexion ne fonctionne ici pour le moment. Elles ne peuvent donc pas être modifiées. Contacte l’assistance.",
  securityNoSessionLead: "Connecte-toi à l’application dans ce navigateur, puis ouvre de nouveau cette page.",
  securityConflict:
    "La modification n’a pas été enregistrée. Il y a peut-être trop de méthodes, ou elles ont été modifiées dans une autre fenêtre. Réessaie.",
  undoLead: "Continue si tu n’as pas fait la modification de ton compte {tenant} dont nous t’avons informé.",
  undoSignsOut: "Toutes tes sessions seront fermées.",
  undoNote: "Tes méthodes de connexion restent inchangées. Si l’une d’elles n’est pas la tienne, contacte l’assistance.",
  undoDoneTitle: "Ton compte est protégé",
  undoDoneLead:
    "Toutes tes sessions ont été fermées, et les méthodes de connexion ne peuvent pas être modifiées pendant 24 heures. Choisis maintenant un nouveau mot de passe. Si une méthode n’est pas à toi, contacte l’assistance.",
  undoRemainsTitle: "Vérifie tes méthodes de connexion",
  undoRemainsLead:
    "Toutes tes sessions ont été fermées, et les méthodes de connexion ne peuvent pas être modifiées pendant 24 heures. Mais une méthode ajoutée ou remplacée récemment fonctionne toujours. Si ce n’est pas la tienne, contacte l’assistance. Choisis maintenant un nouveau mot de passe.",
  undoUsedLead: "Toutes les sessions ont déjà été fermées avec ce lien. Si quelque chose ne va toujours pas, contacte l’assistance.",
  undoExpiredLead: "Si tu ne reconnais pas une modification de ton compte, choisis un nouveau mot de passe et contacte l’assistance.",

  recoveryTitle: "Enregistre ton code de secours",
  recoveryLead:
    "Si tu perds tes autres méthodes, ce code te permet de te connecter une fois. Note-le ou conserve-le en lieu sûr. Nous ne l’afficherons plus.",
  recoverySpentTitle: "Enregistre ton nouveau code de secours",
  recoverySpentLead:
    "Le code que tu as saisi est utilisé et ne fonctionne plus. Celui-ci le remplace. Note-le ou conserve-le en lieu sûr. Nous ne l’afficherons plus.",
  recoveryReplace:
    "Si tu as perdu une méthode, remplace-la dans les paramètres de sécurité : ajoutes-en une nouvelle et supprime l’ancienne.",
  recoveryLabel: "Ton code de secours",

  resetTitle: "Réinitialise ton mot de passe",
  resetLead: "Nous t’enverrons un code et un lien pour choisir un nouveau mot de passe.",
  newPasswordTitle: "Choisis un nouveau mot de passe",
  newPasswordNote: "Tu seras déconnecté de tous tes autres appareils.",

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
  blocked: "Ce compte est bloqué. Contacte {tenant} pour obtenir de l’aide.",

  consentTitle: "Autoriser {client} à utiliser ton compte ?",
  consentAccount: "Tu utilises le compte {account}",
  consentActs: "{client} pourra agir pour toi dans {audience}, y compris à la demande d’autres applications.",
  consentNothing: "{client} souhaite seulement confirmer ton identité.",
  consentNotYou: "Pas toi ?",
  consentNotYouName: "Pas toi ? Utiliser un autre compte",
  consentTrust: "Tu reviendras ensuite sur {destination}. N’accepte que si tu fais confiance à {client}.",
  consentAppTitle: "Autoriser cette application à utiliser ton compte ?",
  consentAppNothing: "L’application souhaite seulement confirmer ton identité.",
  consentUnchecked: "Personne n’a vérifié le nom de l’application. N’accepte que si tu es à l’origine de cette demande.",
  deviceLead: "Saisis le code affiché par ton appareil.",
  deviceCodeMissing: "Saisis le code.",
  deviceCodeWrong: "Ce code est incorrect ou a expiré. Vérifie-le sur ton appareil ou obtiens-en un nouveau.",
  deviceNote: "Quelqu’un t’a envoyé ce code ? Ne le saisis pas.",
  deviceConfirmTitle: "Se connecter à {client} sur ton appareil ?",
  deviceConfirmLead: "Vérifie que ton appareil affiche ce code :",
  deviceOtherNetwork: "L’appareil utilise un autre réseau que ce navigateur. Ne continue que si tu sais pourquoi.",
  deviceConfirmNote:
    "Ne continue que si tu es à l’origine de cette demande, sur un appareil devant toi. Toute personne ayant l’appareil pourra utiliser ton compte.",
  deviceApprovedLead: "Continue sur ton appareil. Tu peux fermer cette page.",
  deviceDeniedLead:
    "Tu peux fermer cette page. Si tu n’es pas à l’origine de cette demande, quelqu’un a peut-être voulu accéder à ton compte.",
  deviceLostLead: "Recommence sur ton appareil pour obtenir un nouveau code.",
  scopeOpenid: "Confirmer ton identité",
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
  passwordTooCommon: "Ce mot de passe est trop courant. Choisis-en un autre.",
  passwordPersonal: "Ce mot de passe contient ton nom ou ton adresse. Choisis-en un autre.",
  passwordLeaked:
    "Ce mot de passe a été divulgué dans une fuite de données d’un autre service. Choisis-en un que tu n’utilises nulle part ailleurs.",

  linkConfirmTitle: "Confirme ton adresse e-mail",
  linkConfirmLead: "Ton compte {tenant} utilise cette adresse. Confirme qu’il s’agit bien de la tienne.",
  linkAskTitle: "As-tu créé ce compte ?",
  linkAskLead: "Un compte {tenant} utilise ton adresse.",
  linkAskNote:
    "Si ce n’était pas toi, choisis « Non ». Le mot de passe du compte ne fonctionnera plus et la personne qui l’a créé sera déconnectée.",
  linkVerifiedTitle: "Ton adresse est confirmée",
  linkVerifiedLead: "Tu peux continuer dans l’application.",
  linkDisownedLead: "Le mot de passe de ce compte ne fonctionne plus. Pour utiliser toi-même ce compte, définis un nouveau mot de passe.",
  passwordFormer: "Tu as déjà utilisé ce mot de passe. Choisis-en un autre.",
  linkChangedTitle: "Ton mot de passe a été modifié",
  linkChangedLead: "Toutes tes sessions ont été fermées. Connecte-toi avec ton nouveau mot de passe.",
  linkUsedLead:
    "Il a servi à définir un mot de passe. Si c’était toi, ouvre l’application et connecte-toi. Sinon, demande un nouveau lien.",
  linkSentTitle: "Consulte tes e-mails",
  linkSentLead:
    "Si tu as un compte, nous t’avons envoyé un lien pour choisir un nouveau mot de passe. Il est valable une heure. Si tu ne reçois rien, vérifie tes courriers indésirables ou réessaie.",
  linkExpiredLead: "Les liens envoyés par e-mail ont une durée de validité limitée. Nous pouvons t’en envoyer un nouveau.",
  linkUnknownLead: "Il est peut-être incomplet ou trop ancien. Ouvre à nouveau le lien dans l’e-mail, ou copie-le en entier.",
  noUsableFactorLead:
    "Aucune de tes méthodes de validation en deux étapes n’est utilisable pour le moment. Réessaie plus tard ou contacte l’assistance.",
  enrolledLead: "Tu peux désormais confirmer ta connexion de cette façon. Tu peux fermer cette page.",
  linkEndedLead: "Le lien a déjà servi, il a expiré, ou le compte a changé depuis. Demande un nouveau lien.",
  linkRequestLead: "Saisis tes informations. Nous enverrons à l’adresse e-mail de ton compte un lien pour choisir un nouveau mot de passe.",

  linkCodeLead: "Ce lien te connecte dans ce navigateur.",
  linkCodeElsewhere: "Tu as commencé dans un autre navigateur. Pour te connecter là-bas, saisis-y le code du message.",
  linkCodeNote: "Si tu n’as pas demandé ce lien, ou si cette adresse n’est pas la tienne, ferme cette page.",
  linkCodeUsed: "Il a déjà été utilisé ou a expiré. Retourne dans l’application et demandes-en un nouveau.",
  linkFactorRequired:
    "Ton compte utilise la validation en deux étapes : ce lien ne peut donc pas te connecter ici. Ouvre-le dans le navigateur où tu as commencé, ou saisis-y le code du message.",

  logoutLead: "Tu vas te déconnecter de {tenant} dans ce navigateur.",
  logoutStay: "Pour ne pas te déconnecter, ferme cette page.",

  loggedOutLead: "Tu peux maintenant fermer cette page.",

  errorLead:
    "Cette demande pose un problème. Retourne dans l’application et recommence. Si cela ne suffit pas, transmets ces informations à l’assistance de l’application.",
  expiredLead:
    "Elle est restée ouverte trop longtemps, ou la connexion a commencé dans un autre navigateur. Retourne dans l’application et recommence.",
  noLoginTitle: "Commence dans l’application",
  noLoginLead:
    "Tu ne peux pas te connecter directement depuis cette adresse. Elle provient peut-être d’un favori. Ouvre l’application que tu souhaites utiliser et connecte-toi.",
  notFoundLead: "L’adresse est peut-être mal saisie, ou la page n’existe plus. Retourne dans l’application et recommence.",
  cookiesTitle: "Ton navigateur a bloqué un cookie",
  cookiesLead:
    "Cette page a besoin d’un cookie pour reconnaître ton navigateur. Autorise les cookies pour ce site, puis retourne dans l’application et recommence. Une fenêtre privée ou un autre navigateur fonctionne aussi.",
  invitationExpiredLead: "Demande une nouvelle invitation à la personne qui t’a invité.",
  invitationUsedLead: "Si c’était toi, ouvre l’application et connecte-toi. Sinon, demandes-en une nouvelle à la personne qui t’a invité.",
  invitationWithdrawnLead: "Demande à la personne qui t’a invité si tu peux toujours participer.",
  noConnectionLead:
    "La connexion aux applications qui s’enregistrent elles-mêmes n’est pas configurée ici. Si tu as besoin de cette application, contacte l’assistance.",
  answeredLead: "Il n’y a plus rien à faire ici. Continue dans l’application.",

  formPostLead: "Si rien ne se passe au bout de quelques secondes, utilise le bouton.",
  providerDeclined: "Tu n’as pas terminé la connexion. Réessaie ou choisis une autre option.",
  providerFailed: "Cette méthode de connexion n’a pas fonctionné. Réessaie ou choisis une autre option.",
  noAccountHere: "Tu n’as pas encore de compte, et tu ne peux pas en créer un de cette façon. Connecte-toi autrement.",
  linkAccountLead: "Tu as déjà un compte avec {email}. Connecte-toi une fois pour l’associer à {provider}.",
  linkAccountFailed: "Ce compte {provider} ne peut pas être associé à ton compte existant. Tu peux continuer avec un compte distinct.",
};
