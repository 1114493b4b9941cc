import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Spanish. */
export const es: MailTexts = {
  direction: "ltr",

  codeOrLink: "O use este enlace:",
  linkInstead: "Si el botón no funciona, copie esta dirección en su navegador:",
  footer: "Enviado a {address} por {sender}.",
  help: "Obtener ayuda",

  verifySubject: "Confirme su correo electrónico",
  verifyLead: "Confirme que {address} es su dirección, para que {sender} sepa que esta cuenta es suya.",
  verifyButton: "Confirmar dirección",
  verifyNote: "Si no tiene cuenta en {sender}, ignore este mensaje.",

  welcomeSubject: "Le damos la bienvenida a {sender}",
  welcomeLead: "Su cuenta de {sender} está lista. Inicie sesión con {address}.",

  resetSubject: "Elija una nueva contraseña",
  resetLead: "Alguien ha pedido una nueva contraseña para su cuenta de {sender}.",
  resetButton: "Elegir nueva contraseña",
  resetNote: "Si no ha sido usted, ignore este mensaje: su contraseña no cambia.",

  loginCodeSubject: "Su código para iniciar sesión en {app}",
  loginCodeLead: "Introduzca este código para iniciar sesión en {app}:",
  loginCodeNote:
    "No dé el código a nadie: quien lo tenga puede iniciar sesión en su nombre. Si no quería iniciar sesión, ignore este mensaje.",
  loginCodeText: "{code} es su código para iniciar sesión en {app}. No lo dé a nadie.",
  loginLinkSubject: "Iniciar sesión en {app}",
  loginLinkLead: "Use este enlace para iniciar sesión en {app}.",
  loginLinkNote:
    "No dé el enlace a nadie: quien lo tenga puede iniciar sesión en su nombre. Si no quería iniciar sesión, ignore este mensaje.",
  loginLinkText: "Inicie sesión en {app} con este enlace. No lo dé a nadie.",
  loginButton: "Iniciar sesión",

  invitationSubject: "{inviter} le invita a {organization}",
  invitationLead: "{inviter} le invita a unirse a {organization}.",
  invitationButton: "Aceptar invitación",
  invitationUntil: "La invitación es válida hasta el {time}.",
  invitationNote: "Si no sabe por qué la ha recibido, no haga nada.",

  passwordChangedSubject: "Su contraseña ha cambiado",
  passwordChangedLead: "Se ha cambiado la contraseña de su cuenta de {sender}.",
  passwordChangedNote: "Si no ha sido usted, elija enseguida una nueva contraseña: empiece a iniciar sesión e indique que la ha olvidado.",

  blockedSubject: "Demasiadas contraseñas incorrectas en su cuenta",
  blockedLead:
    "Alguien ha probado contraseñas incorrectas en su cuenta de {sender}. Durante unos minutos nadie puede entrar en ella con contraseña.",
  blockedNote:
    "Si ha sido usted, espere un poco e inténtelo de nuevo. Si no, nadie ha entrado; con una contraseña que no use en ningún otro sitio seguirá siendo así.",

  newDeviceSubject: "Nuevo inicio de sesión en su cuenta",
  newDeviceLead: "Alguien ha iniciado sesión en su cuenta de {sender} con un dispositivo que no se había usado antes.",
  newDeviceNote: "Si ha sido usted, no tiene que hacer nada. Si no, elija enseguida una nueva contraseña.",

  linkCodeSubject: "Su código para vincular {provider}",
  linkCodeLead: "Introduzca este código para vincular {provider} con su cuenta de {sender}:",
  linkCodeNote: "Después podrá iniciar sesión también con {provider}. Si no lo ha pedido, ignore este mensaje y no dé el código a nadie.",

  accountLinkedSubject: "{provider} se ha vinculado con su cuenta",
  accountLinkedLead: "Ahora también se puede entrar en su cuenta de {sender} con {provider}.",
  accountLinkedNote: "Si ha sido usted, no tiene que hacer nada. Si no, póngase en contacto con {sender} enseguida.",

  accountExistsSubject: "Ya tiene una cuenta",
  accountExistsLead: "Alguien ha intentado registrarse en {sender} con esta dirección. Ya tiene una cuenta: inicie sesión con ella.",
  accountExistsNote:
    "Si ha olvidado la contraseña, elija una nueva donde inicia sesión. Si no ha sido usted, ignore este mensaje: nada ha cambiado.",

  factTime: "Hora",
  factDevice: "Dispositivo",
  factAddress: "Dirección de red",
};
