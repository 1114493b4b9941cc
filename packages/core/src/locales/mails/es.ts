import type { MailTexts } from "./texts.ts";

/** The Spanish texts for mails and text messages. */
export const esMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "O use este enlace:",
  linkInstead: "Si el botón no funciona, copie esta dirección en su navegador:",
  footer: "Enviado a {address} por {sender}.",
  help: "Obtener ayuda",

  verifySubject: "Confirme su correo electrónico",
  verifyLead: "Confirme que {address} es el correo electrónico de su cuenta de {sender}.",
  verifyButton: "Confirmar dirección",
  verifyNote: "Si no tiene cuenta en {sender}, ignore este mensaje.",

  welcomeSubject: "Le damos la bienvenida a {sender}",
  welcomeLead: "Su cuenta de {sender} está lista. Inicie sesión con {address}.",

  resetSubject: "Elija una nueva contraseña",
  resetLead: "Hemos recibido una solicitud de nueva contraseña para su cuenta de {sender}.",
  resetButton: "Elegir nueva contraseña",
  resetNote: "Si no la ha solicitado, ignore este mensaje. Su contraseña no cambia.",

  loginCodeSubject: "Su código para iniciar sesión en {app}",
  loginCodeLead: "Introduzca este código para iniciar sesión en {app}:",
  loginCodeNote:
    "No comparta este código. Quien lo tenga puede iniciar sesión en su nombre. Si no intentaba iniciar sesión, ignore este mensaje.",
  loginCodeText: "{code} es su código para iniciar sesión en {app}. No lo comparta.",
  loginLinkSubject: "Iniciar sesión en {app}",
  loginLinkLead: "Use este enlace para iniciar sesión en {app}.",
  loginLinkNote:
    "No comparta este enlace. Quien lo tenga puede iniciar sesión en su nombre. Si no intentaba iniciar sesión, ignore este mensaje.",
  loginLinkText: "Inicie sesión en {app} con este enlace. No lo comparta.",
  loginButton: "Iniciar sesión",

  invitationSubject: "{inviter} le ha invitado a {organization}",
  invitationLead: "{inviter} le ha invitado a unirse a {organization}.",
  invitationButton: "Aceptar invitación",
  invitationUntil: "La invitación es válida hasta el {time}.",
  invitationNote: "Si no esperaba esta invitación, ignore este mensaje.",

  passwordChangedSubject: "Su contraseña ha cambiado",
  passwordChangedLead: "Se ha cambiado la contraseña de su cuenta de {sender}.",
  passwordChangedNote:
    "Si no ha sido usted, elija cuanto antes una nueva contraseña: empiece a iniciar sesión y seleccione «¿Ha olvidado la contraseña?».",

  blockedSubject: "Demasiadas contraseñas incorrectas en su cuenta",
  blockedLead:
    "Hubo demasiados intentos de iniciar sesión en su cuenta de {sender} con una contraseña incorrecta. El inicio de sesión con contraseña está bloqueado durante unos minutos.",
  blockedNote:
    "Si ha sido usted, espere unos minutos e inténtelo de nuevo. Si no, los intentos fallaron. Una contraseña que no use en ningún otro sitio protege su cuenta.",

  newDeviceSubject: "Nuevo inicio de sesión en su cuenta",
  newDeviceLead: "Se ha iniciado sesión en su cuenta de {sender} desde un dispositivo nuevo.",
  newDeviceNote: "Si ha sido usted, no tiene que hacer nada. Si no, elija cuanto antes una nueva contraseña.",

  linkCodeSubject: "Su código para vincular {provider}",
  linkCodeLead: "Introduzca este código para vincular {provider} con su cuenta de {sender}:",
  linkCodeNote: "Después podrá iniciar sesión también con {provider}. Si no lo ha pedido, ignore este mensaje y no comparta el código.",

  accountLinkedSubject: "{provider} se ha vinculado con su cuenta",
  accountLinkedLead: "Ahora también puede iniciar sesión en su cuenta de {sender} con {provider}.",
  accountLinkedNote: "Si ha sido usted, no tiene que hacer nada. Si no, póngase en contacto cuanto antes con {sender}.",

  accountExistsSubject: "Ya tiene una cuenta",
  accountExistsLead: "Se ha intentado registrar esta dirección en {sender}. Ya tiene una cuenta: inicie sesión con ella.",
  accountExistsNote:
    "Si ha olvidado la contraseña, puede elegir una nueva al iniciar sesión. Si no ha sido usted, ignore este mensaje. No ha cambiado nada.",

  factTime: "Hora",
  factDevice: "Dispositivo",
  factAddress: "Dirección IP",
  factorCodeSubject: "Your verification code for {app}",
  factorCodeLead: "Enter this code to finish signing in to {app}:",
  factorCodeNote: "Don’t share this code. If you didn’t try to sign in, somebody knows your password: choose a new one.",
  factorCodeText: "{code} is your verification code for {app}. Don’t share it.",
  factorTotp: "authenticator app",
  factorPhone: "phone",
  factorEmail: "email address",
  factorRecoveryCode: "recovery code",
  factorSecurityKey: "security key",
  factorDevice: "device",
  factorPasskey: "passkey",
  factorAddedSubject: "A sign-in method was added to your account",
  factorAddedLead: "Two-step verification for your account with {sender} now has another method: {factor}.",
  factorRemovedSubject: "A sign-in method was removed from your account",
  factorRemovedLead: "Two-step verification for your account with {sender} no longer has this method: {factor}.",
  factorChangedNote: "If this was you, you don’t need to do anything. If not, choose a new password right away and contact {sender}.",
  factorLockedSubject: "Too many wrong codes for your account",
  factorLockedLead:
    "Somebody entered your password for {sender} and then too many wrong codes. This method of two-step verification is locked for a few minutes.",
  factorLockedNote: "If this was you, wait a few minutes or use another method. If not, choose a new password right away.",
};
