import type { Messages } from "../messages.ts";

/** Spanish that says "tú". */
export const esFamiliar: Partial<Messages> = {
  againTitle: "Confirma tu identidad",
  identifierLeadPlain: "con tu cuenta de {tenant}",

  passwordTitle: "Introduce tu contraseña",
  passwordChangeName: "Cambiar la cuenta con la que inicias sesión",

  passwordForgot: "¿Has olvidado la contraseña?",
  identifierNoAccount: "¿Aún no tienes cuenta?",
  addressInvalid: "No se puede enviar un código a esa dirección. Comprueba cómo la has escrito.",

  signUpTitle: "Crea tu cuenta",
  signUpHave: "¿Ya tienes cuenta?",
  emailMalformed: "Eso no es un correo electrónico. Comprueba cómo lo has escrito.",
  usernameMalformed: "Ese nombre de usuario no es posible aquí. Elige otro.",
  usernameTaken: "Ese nombre de usuario ya existe. Elige otro.",
  phoneMalformed: "Introduce tu número de teléfono con + y el prefijo del país.",
  accountTaken: "No se puede crear una cuenta con estos datos. Si ya tienes una, inicia sesión.",

  codeTitleEmail: "Revisa tu correo",
  codeTitleSms: "Revisa tus mensajes",
  codeLeadEmail: "Introduce el código que hemos enviado a {address}.",
  codeLeadSms: "Introduce el código que hemos enviado por SMS a {address}.",
  codeLeadReset: "Si existe una cuenta para {address}, le hemos enviado un código. Introdúcelo aquí.",
  codeLeadAccount: "Si esa cuenta existe, hemos enviado un código a su correo electrónico. Introdúcelo aquí.",
  codeMissing: "Introduce el código que te hemos enviado.",
  codeWrong: "El código no es correcto o ya no es válido. Compruébalo o pide otro.",
  codesTooMany: "Se han enviado demasiados códigos. Usa el último o inténtalo de nuevo en 10 minutos.",
  codeChangeSignUp: "Cambiar tus datos",
  codeUsePassword: "Usar tu contraseña",

  resetTitle: "Restablece tu contraseña",
  resetLead: "Te enviaremos un código y un enlace para crear una nueva.",
  newPasswordTitle: "Elige una nueva contraseña",
  newPasswordNote: "Se cerrará tu sesión en todos los demás sitios.",

  identifierMissing: "Introduce tu correo electrónico, nombre de usuario o número de teléfono.",
  missingEmail: "Introduce tu correo electrónico.",
  missingUsername: "Introduce tu nombre de usuario.",
  missingPhone: "Introduce tu número de teléfono.",
  missingEmailUsername: "Introduce tu correo electrónico o nombre de usuario.",
  missingEmailPhone: "Introduce tu correo electrónico o número de teléfono.",
  missingUsernamePhone: "Introduce tu nombre de usuario o número de teléfono.",
  passwordMissing: "Introduce tu contraseña.",
  wrongCredentials: "El correo o la contraseña no son correctos. Inténtalo de nuevo.",
  tooManyAttempts: "Demasiados intentos. Inténtalo de nuevo en 5 minutos.",
  wrongCredentialsOrReset: "El correo o la contraseña no son correctos. Inténtalo de nuevo o restablece tu contraseña.",
  tooManyAttemptsOrReset: "Demasiados intentos. Inténtalo de nuevo en 5 minutos o restablece tu contraseña.",
  blocked: "Esta cuenta está bloqueada. Pide ayuda al equipo de {tenant}.",

  consentTitle: "¿Permitir que {client} use tu cuenta?",
  consentAccount: "Has iniciado sesión como {account}",
  consentNothing: "{client} solo pide saber que eres tú.",
  consentNotYou: "¿No eres tú?",
  consentNotYouName: "¿No eres tú? Usar otra cuenta",
  consentTrust: "Después volverás a {destination}. Permítelo solo si confías en {client}.",
  scopeOpenid: "Saber que eres tú",
  scopeProfile: "Ver tu nombre, tu foto y otros datos de tu perfil",
  scopeEmail: "Ver tu correo electrónico",
  scopePhone: "Ver tu número de teléfono",
  scopeAddress: "Ver tu dirección postal",
  scopeOfflineAccess: "Conservar este acceso en tu ausencia",

  accountTitle: "Elige una cuenta",

  organizationTitle: "Elige una organización",
  organizationNone: "Ninguna organización se llama así. Comprueba cómo lo has escrito.",

  invitationTitle: "¿Unirte a {organization}?",
  invitationLead: "{inviter} te invita a unirte a {organization}.",
  invitationOther: "Esta invitación es para {email}. Inicia sesión con esa cuenta para aceptarla.",

  createAccountTitle: "Crea tu cuenta",
  createAccountOtherName: "Cambiar: iniciar sesión con una cuenta que ya tienes",
  createAccountPassword: "Elige una contraseña",
  demandsAll: "Tu contraseña tiene todo lo necesario.",
  passwordTooCommon: "Demasiadas personas usan esa contraseña. Elige otra.",
  passwordPersonal: "Esa contraseña contiene tu nombre o tu dirección. Elige otra.",
  passwordLeaked: "Esa contraseña aparece en una filtración de datos de otro servicio. Elige una que no uses en ningún otro sitio.",

  linkConfirmTitle: "Confirma tu correo electrónico",
  linkConfirmLead: "Tu cuenta de {tenant} tiene esta dirección. Confirma que es tuya.",
  linkAskTitle: "¿Has creado esta cuenta?",
  linkAskLead: "Hay una cuenta de {tenant} con tu dirección.",
  linkAskNote:
    "Si no es tuya, otra persona la creó con tu dirección. Dínoslo y ya no podrá usarla: su contraseña dejará de funcionar y se cerrará su sesión.",
  linkVerifiedTitle: "Tu dirección está confirmada",
  linkVerifiedLead: "Puedes continuar en la aplicación.",
  linkDisownedLead: "Ya nadie puede iniciar sesión en esta cuenta. Si quieres usarla, establece una contraseña.",
  passwordFormer: "Ya has usado esa contraseña antes. Elige otra.",
  linkChangedTitle: "Tu contraseña ha cambiado",
  linkChangedLead: "Se han cerrado todas tus sesiones. Inicia sesión con tu nueva contraseña.",
  linkUsedLead: "Se ha establecido una contraseña con él. Si fuiste tú, abre la aplicación e inicia sesión. Si no, pide un enlace nuevo.",
  linkSentTitle: "Revisa tu correo",
  linkSentLead:
    "Si te conocemos, un enlace para elegir una nueva contraseña va en camino. Es válido durante una hora. Si no llega nada, mira en la carpeta de spam o inténtalo de nuevo.",
  linkExpiredLead: "Los enlaces de los correos son válidos por tiempo limitado. Podemos enviarte uno nuevo.",
  linkUnknownLead: "Puede que esté incompleto o sea demasiado antiguo. Abre de nuevo el enlace del correo o cópialo entero.",
  linkRequestLead: "Dinos quién eres. Enviaremos a la dirección de tu cuenta un enlace para elegir una nueva contraseña.",

  linkCodeLead: "Este enlace inicia tu sesión aquí, en este navegador.",
  linkCodeNote: "Si no has pedido este enlace o la dirección no es tuya, cierra esta página.",
  linkCodeUsed: "Ya se ha usado o ha caducado. Vuelve a la aplicación y pide uno nuevo.",

  logoutLead: "Se cerrará tu sesión de {tenant} en este navegador.",
  logoutStay: "Para mantener la sesión abierta, simplemente cierra esta página.",

  loggedOutLead: "Ya puedes cerrar esta página.",

  errorLead:
    "Hay un problema con esta solicitud. Vuelve a la aplicación y empieza de nuevo. Si no se soluciona, envía estos datos a su servicio de asistencia.",
  expiredLead:
    "Estuvo abierta demasiado tiempo, o el inicio de sesión comenzó en otro navegador. Vuelve a la aplicación y empieza de nuevo.",
  noLoginTitle: "Empieza en la aplicación",
  noLoginLead:
    "Desde esta dirección no se inicia sesión: quizá la guardaste como marcador. Abre la aplicación que quieres usar e inicia sesión en ella.",
  notFoundLead: "Puede que la dirección esté mal escrita o que la página ya no exista. Vuelve a la aplicación y empieza desde allí.",
  cookiesTitle: "Tu navegador ha bloqueado una cookie",
  cookiesLead:
    "Esta página necesita una cookie para reconocer tu navegador. Permite las cookies de este sitio, vuelve a la aplicación y empieza de nuevo. También puedes usar una ventana privada u otro navegador.",
  invitationExpiredLead: "Pide una nueva a la persona que te invitó.",
  invitationUsedLead: "Si fuiste tú, abre la aplicación e inicia sesión. Si no, pide una nueva a la persona que te invitó.",
  invitationWithdrawnLead: "Pregunta a la persona que te invitó si la invitación sigue en pie.",
  answeredLead: "Aquí ya no queda nada por hacer. Continúa en la aplicación.",

  formPostLead: "Si no ocurre nada en unos segundos, usa el botón.",
  providerDeclined: "No terminaste de iniciar sesión allí. Inténtalo de nuevo o inicia sesión de otra forma.",
  providerFailed: "No se pudo iniciar sesión allí. Inténtalo de nuevo o inicia sesión de otra forma.",
  noAccountHere: "Aún no tienes cuenta aquí, y no se puede crear de esta forma. Inicia sesión de otra forma.",
  linkAccountTitle: "Ya tienes una cuenta",
  linkAccountLead:
    "Una cuenta de aquí tiene la dirección {email}. Inicia sesión en ella una vez y después también podrás entrar con {provider}.",
  linkAccountFailed:
    "Esta cuenta de {provider} no se puede vincular con tu cuenta de aquí. Puedes continuar con ella como una cuenta aparte.",
};
