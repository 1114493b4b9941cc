import type { MailTexts } from "../texts.ts";

/** The Spanish texts for mails that differ with the familiar form of address, "tú". */
export const esFamiliarMails: Partial<MailTexts> = {
  codeOrLink: "O usa este enlace:",
  linkInstead: "Si el botón no funciona, copia esta dirección en tu navegador:",

  verifySubject: "Confirma tu correo electrónico",
  verifyLead: "Confirma que {address} es el correo electrónico de tu cuenta de {sender}.",
  verifyNote: "Si no tienes cuenta en {sender}, ignora este mensaje.",

  welcomeSubject: "Te damos la bienvenida a {sender}",
  welcomeLead: "Tu cuenta de {sender} está lista. Inicia sesión con {address}.",
  testLead: "Has enviado este correo el {time} para probar la configuración de correo de {sender}.",

  resetSubject: "Elige una nueva contraseña",
  resetLead: "Hemos recibido una solicitud de nueva contraseña para tu cuenta de {sender}.",
  resetNote: "Si no la has solicitado, ignora este mensaje. Tu contraseña no cambia.",

  loginCodeSubject: "Tu código para iniciar sesión en {app}",
  loginCodeLead: "Introduce este código para iniciar sesión en {app}:",
  loginCodeNote:
    "No compartas este código. Quien lo tenga puede iniciar sesión en tu nombre. Si no intentabas iniciar sesión, ignora este mensaje.",
  loginCodeText: "{code} es tu código para iniciar sesión en {app}. No lo compartas.",
  loginLinkLead: "Usa este enlace para iniciar sesión en {app}.",
  loginLinkNote:
    "No compartas este enlace. Quien lo tenga puede iniciar sesión en tu nombre. Si no intentabas iniciar sesión, ignora este mensaje.",
  loginLinkText: "Inicia sesión en {app} con este enlace. No lo compartas.",

  invitationSubject: "{inviter} te ha invitado a {organization}",
  invitationLead: "{inviter} te ha invitado a unirte a {organization}.",
  invitationNote: "Si no esperabas esta invitación, ignora este mensaje.",

  passwordChangedSubject: "Tu contraseña ha cambiado",
  passwordChangedLead: "Se ha cambiado la contraseña de tu cuenta de {sender}.",
  passwordChangedNote:
    "Si no has sido tú, elige cuanto antes una nueva contraseña: empieza a iniciar sesión y selecciona «¿Has olvidado la contraseña?».",

  blockedSubject: "Demasiadas contraseñas incorrectas en tu cuenta",
  blockedLead:
    "Hubo demasiados intentos de iniciar sesión en tu cuenta de {sender} con una contraseña incorrecta. El inicio de sesión con contraseña está bloqueado durante unos minutos.",
  blockedNote:
    "Si has sido tú, espera unos minutos e inténtalo de nuevo. Si no, los intentos fallaron. Una contraseña que no uses en ningún otro sitio protege tu cuenta.",

  newDeviceSubject: "Nuevo inicio de sesión en tu cuenta",
  newDeviceLead: "Se ha iniciado sesión en tu cuenta de {sender} desde un dispositivo nuevo.",
  newDeviceNote: "Si has sido tú, no tienes que hacer nada. Si no, elige cuanto antes una nueva contraseña.",

  factorCodeSubject: "Tu código de verificación de {app}",
  factorCodeLead: "Introduce este código para terminar de iniciar sesión en {app}:",
  factorCodeNote: "No compartas este código. Si no has intentado iniciar sesión, alguien conoce tu contraseña: elige una nueva.",
  factorCodeText: "{code} es tu código de verificación de {app}. No lo compartas.",
  factorCodeSpoken: "Tu código de verificación de {app} es {code}. Repetimos: {code}. No lo compartas.",
  factorAddedSubject: "Se ha añadido un método de inicio de sesión a tu cuenta",
  factorAddedLead: "La verificación en dos pasos de tu cuenta de {sender} tiene ahora otro método: {factor}.",
  factorRemovedSubject: "Se ha eliminado un método de inicio de sesión de tu cuenta",
  factorRemovedLead: "La verificación en dos pasos de tu cuenta de {sender} ya no tiene este método: {factor}.",
  factorUpdatedSubject: "Se ha cambiado un método de inicio de sesión de tu cuenta",
  factorUpdatedLead: "En la verificación en dos pasos de tu cuenta de {sender} se ha cambiado este método: {factor}.",
  factorChangedNote:
    "Si has sido tú, no tienes que hacer nada. Si no, elige cuanto antes una nueva contraseña y ponte en contacto con {sender}.",
  factorReplacedSubject: "Se ha sustituido un método de inicio de sesión de tu cuenta",
  factorReplacedLead:
    "Este método de verificación en dos pasos de tu cuenta de {sender} se ha sustituido: {factor}. El anterior ya no funciona.",

  enrollSubject: "Configura la verificación en dos pasos de tu cuenta",
  enrollLead: "Añade otro método para confirmar que eres tú al iniciar sesión en {sender}.",
  enrollNote: "El enlace es válido durante cinco días y se puede usar una vez. Si no tienes una cuenta en {sender}, ignora este mensaje.",
  factorAdministratorNote: "Un administrador ha hecho este cambio. Si no lo esperabas, ponte en contacto con {sender}.",
  factorLockedSubject: "Demasiados códigos incorrectos en tu cuenta",
  factorLockedLead:
    "Alguien introdujo tu contraseña de {sender} y después demasiados códigos incorrectos. Este método de la verificación en dos pasos está bloqueado durante unos minutos.",
  factorLockedNote: "Si has sido tú, espera unos minutos o usa otro método. Si no, elige cuanto antes una nueva contraseña.",

  deletionSubject: "Tu cuenta se eliminará",
  deletionReminderSubject: "Tu cuenta se eliminará pronto",
  deletionLead: "Tu cuenta de {sender} se eliminará el {time}, porque así lo has pedido.",
  deletionKeep: "Para conservar la cuenta, inicia sesión antes.",
  deletionNote: "Si no has sido tú, inicia sesión ahora, conserva la cuenta y elige una nueva contraseña.",

  linkCodeSubject: "Tu código para vincular {provider}",
  linkCodeLead: "Introduce este código para vincular {provider} con tu cuenta de {sender}:",
  linkCodeNote: "Después podrás iniciar sesión también con {provider}. Si no lo has pedido, ignora este mensaje y no compartas el código.",

  accountLinkedSubject: "{provider} se ha vinculado con tu cuenta",
  accountLinkedLead: "Ahora también puedes iniciar sesión en tu cuenta de {sender} con {provider}.",
  accountLinkedNote: "Si has sido tú, no tienes que hacer nada. Si no, ponte en contacto cuanto antes con {sender}.",

  accountExistsSubject: "Ya tienes una cuenta",
  accountExistsLead: "Se ha intentado registrar esta dirección en {sender}. Ya tienes una cuenta: inicia sesión con ella.",
  accountExistsNote:
    "Si has olvidado la contraseña, puedes elegir una nueva al iniciar sesión. Si no has sido tú, ignora este mensaje. No ha cambiado nada.",
};
