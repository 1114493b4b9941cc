import type { Messages } from "../messages.ts";

/** Spanish that says "tú". */
export const esFamiliar: Partial<Messages> = {
  againTitle: "Confirma tu identidad",
  identifierLeadPlain: "con tu cuenta de {tenant}",

  passwordTitle: "Introduce tu contraseña",
  passwordChangeName: "Cambiar la cuenta con la que inicias sesión",

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
  passwordTooCommon: "Demasiadas personas usan esa contraseña. Elige otra.",
  passwordPersonal: "Esa contraseña contiene tu nombre o tu dirección. Elige otra.",

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
};
