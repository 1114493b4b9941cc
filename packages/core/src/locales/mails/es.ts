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

  testSubject: "Correo de prueba de {sender}",
  testLead: "Usted ha enviado este correo el {time} para probar la configuración de correo de {sender}.",

  resetSubject: "Elija una nueva contraseña",
  resetLead: "Hemos recibido una solicitud de nueva contraseña para su cuenta de {sender}.",
  resetButton: "Elegir nueva contraseña",
  resetNote: "Si no la ha solicitado, ignore este mensaje. Su contraseña no cambia.",

  enrollSubject: "Configure la verificación en dos pasos de su cuenta",
  enrollLead: "Añada otro método para confirmar que es usted al iniciar sesión en {sender}.",
  enrollButton: "Configurar",
  enrollNote: "El enlace es válido durante cinco días y se puede usar una vez. Si no tiene una cuenta en {sender}, ignore este mensaje.",

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

  factorCodeSubject: "Su código de verificación de {app}",
  factorCodeLead: "Introduzca este código para terminar de iniciar sesión en {app}:",
  factorCodeNote: "No comparta este código. Si no ha intentado iniciar sesión, alguien conoce su contraseña: elija una nueva.",
  factorCodeText: "{code} es su código de verificación de {app}. No lo comparta.",
  factorCodeSpoken: "Su código de verificación de {app} es {code}. Repetimos: {code}. No lo comparta.",
  factorTotp: "aplicación de autenticación",
  factorPhone: "teléfono",
  factorEmail: "dirección de correo",
  factorRecoveryCode: "código de recuperación",
  factorSecurityKey: "llave de seguridad",
  factorDevice: "dispositivo",
  factorPasskey: "llave de acceso",
  factorAddedSubject: "Se ha añadido un método de inicio de sesión a su cuenta",
  factorAddedLead: "La verificación en dos pasos de su cuenta de {sender} tiene ahora otro método: {factor}.",
  factorRemovedSubject: "Se ha eliminado un método de inicio de sesión de su cuenta",
  factorRemovedLead: "La verificación en dos pasos de su cuenta de {sender} ya no tiene este método: {factor}.",
  factorUpdatedSubject: "Se ha cambiado un método de inicio de sesión de su cuenta",
  factorUpdatedLead: "En la verificación en dos pasos de su cuenta de {sender} se ha cambiado este método: {factor}.",
  factorChangedNote:
    "Si ha sido usted, no tiene que hacer nada. Si no, elija cuanto antes una nueva contraseña y póngase en contacto con {sender}.",
  factorReplacedSubject: "Se ha sustituido un método de inicio de sesión de su cuenta",
  factorReplacedLead:
    "Este método de verificación en dos pasos de su cuenta de {sender} se ha sustituido: {factor}. El anterior ya no funciona.",
  factorUndoButton: "No he sido yo",
  factorUndoNote:
    "El botón cierra todas las sesiones de la cuenta y suspende los cambios de métodos de inicio de sesión durante 24 horas. Funciona durante 7 días.",

  factorAdministratorNote: "Un administrador ha hecho este cambio. Si no lo esperaba, póngase en contacto con {sender}.",
  factorLockedSubject: "Demasiados códigos incorrectos en su cuenta",
  factorLockedLead:
    "Alguien introdujo su contraseña de {sender} y después demasiados códigos incorrectos. Este método de la verificación en dos pasos está bloqueado durante unos minutos.",
  factorLockedNote: "Si ha sido usted, espere unos minutos o use otro método. Si no, elija cuanto antes una nueva contraseña.",

  deletionSubject: "Su cuenta se eliminará",
  deletionReminderSubject: "Su cuenta se eliminará pronto",
  deletionLead: "Su cuenta de {sender} se eliminará el {time}, porque así lo ha pedido.",
  deletionKeep: "Para conservar la cuenta, inicie sesión antes.",
  deletionNote: "Si no ha sido usted, inicie sesión ahora, conserve la cuenta y elija una nueva contraseña.",

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

  addressCodeSubject: "Código para confirmar esta dirección en {sender}",
  addressCodeLead: "Este código permite usar esta dirección para la cuenta de {sender}:",
  addressCodeNote: "No hay que compartir este código. Si nadie lo pidió, se puede ignorar este mensaje.",
  addressCodeText: "{code} es el código para usar este número con {sender}. No hay que compartirlo.",
  addressInUseSubject: "Esta dirección ya está en uso",
  addressInUseLead: "Otra cuenta de {sender} iba a recibir esta dirección. Ya pertenece a una cuenta, así que nada ha cambiado.",
  addressInUseNote: "Si la solicitud es legítima, basta con iniciar sesión con esta dirección. Si no, se puede ignorar este mensaje.",
  emailChangedSubject: "La dirección de correo se ha cambiado",
  emailChangedLead: "La dirección de correo de la cuenta de {sender} se ha cambiado.",
  phoneChangedSubject: "El número de teléfono se ha cambiado",
  phoneChangedLead: "El número de teléfono de la cuenta de {sender} se ha cambiado.",
  usernameChangedSubject: "El nombre de usuario se ha cambiado",
  usernameChangedLead: "El nombre de usuario de la cuenta de {sender} se ha cambiado.",
  accountAddedSubject: "Se ha vinculado una cuenta",
  accountAddedLead: "Ahora otra cuenta sirve para iniciar sesión en la cuenta de {sender}.",
  accountUnlinkedSubject: "Se ha desvinculado una cuenta",
  accountUnlinkedLead: "Una cuenta vinculada ya no sirve para iniciar sesión en la cuenta de {sender}.",
  accountChangedNote:
    "Si el cambio es correcto, no hay que hacer nada. Si no, conviene usar el botón de inmediato y contactar con {sender}.",
  factTime: "Hora",
  factDevice: "Dispositivo",
  factAddress: "Dirección IP",
};
