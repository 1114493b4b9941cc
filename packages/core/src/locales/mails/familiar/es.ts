import type { MailTexts } from "../texts.ts";

/** What mails and text messages say in other words where people are addressed familiarly in Spanish. */
export const esFamiliar: Partial<MailTexts> = {
  codeOrLink: "O usa este enlace:",
  linkInstead: "Si el botón no funciona, copia esta dirección en tu navegador:",

  verifySubject: "Confirma tu correo electrónico",
  verifyLead: "Confirma que {address} es tu dirección, para que {sender} sepa que esta cuenta es tuya.",
  verifyNote: "Si no tienes cuenta en {sender}, ignora este mensaje.",

  welcomeSubject: "Te damos la bienvenida a {sender}",
  welcomeLead: "Tu cuenta de {sender} está lista. Inicia sesión con {address}.",

  resetSubject: "Elige una nueva contraseña",
  resetLead: "Alguien ha pedido una nueva contraseña para tu cuenta de {sender}.",
  resetNote: "Si no has sido tú, ignora este mensaje: tu contraseña no cambia.",

  loginCodeSubject: "Tu código para iniciar sesión en {app}",
  loginCodeLead: "Introduce este código para iniciar sesión en {app}:",
  loginCodeNote:
    "No des el código a nadie: quien lo tenga puede iniciar sesión en tu nombre. Si no querías iniciar sesión, ignora este mensaje.",
  loginCodeText: "{code} es tu código para iniciar sesión en {app}. No lo des a nadie.",
  loginLinkLead: "Usa este enlace para iniciar sesión en {app}.",
  loginLinkNote:
    "No des el enlace a nadie: quien lo tenga puede iniciar sesión en tu nombre. Si no querías iniciar sesión, ignora este mensaje.",
  loginLinkText: "Inicia sesión en {app} con este enlace. No lo des a nadie.",

  invitationSubject: "{inviter} te invita a {organization}",
  invitationLead: "{inviter} te invita a unirte a {organization}.",
  invitationNote: "Si no sabes por qué la has recibido, no hagas nada.",

  passwordChangedSubject: "Tu contraseña ha cambiado",
  passwordChangedLead: "Se ha cambiado la contraseña de tu cuenta de {sender}.",
  passwordChangedNote: "Si no has sido tú, elige enseguida una nueva contraseña: empieza a iniciar sesión e indica que la has olvidado.",

  blockedSubject: "Demasiadas contraseñas incorrectas en tu cuenta",
  blockedLead:
    "Alguien ha probado contraseñas incorrectas en tu cuenta de {sender}. Durante unos minutos nadie puede entrar en ella con contraseña.",
  blockedNote:
    "Si has sido tú, espera un poco e inténtalo de nuevo. Si no, nadie ha entrado; con una contraseña que no uses en ningún otro sitio seguirá siendo así.",

  newDeviceSubject: "Nuevo inicio de sesión en tu cuenta",
  newDeviceLead: "Alguien ha iniciado sesión en tu cuenta de {sender} con un dispositivo que no se había usado antes.",
  newDeviceNote: "Si has sido tú, no tienes que hacer nada. Si no, elige enseguida una nueva contraseña.",

  linkCodeSubject: "Tu código para vincular {provider}",
  linkCodeLead: "Introduce este código para vincular {provider} con tu cuenta de {sender}:",
  linkCodeNote:
    "Después podrás iniciar sesión también con {provider}. Si no lo has pedido, ignora este mensaje y no des el código a nadie.",

  accountLinkedSubject: "{provider} se ha vinculado con tu cuenta",
  accountLinkedLead: "Ahora también se puede entrar en tu cuenta de {sender} con {provider}.",
  accountLinkedNote: "Si has sido tú, no tienes que hacer nada. Si no, ponte en contacto con {sender} enseguida.",

  accountExistsSubject: "Ya tienes una cuenta",
  accountExistsLead: "Alguien ha intentado registrarse en {sender} con esta dirección. Ya tienes una cuenta: inicia sesión con ella.",
  accountExistsNote:
    "Si has olvidado la contraseña, elige una nueva donde inicias sesión. Si no has sido tú, ignora este mensaje: nada ha cambiado.",
};
