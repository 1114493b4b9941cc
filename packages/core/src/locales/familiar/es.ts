import type { Messages } from "../messages.ts";

/** The Spanish texts for pages that differ with the familiar form of address, "tú". */
export const esFamiliar: Partial<Messages> = {
  againTitle: "Confirma tu identidad",
  identifierLeadPlain: "con tu cuenta de {tenant}",

  passwordTitle: "Introduce tu contraseña",

  passwordForgot: "¿Has olvidado la contraseña?",
  identifierNoAccount: "¿Aún no tienes cuenta?",
  addressInvalid: "No podemos enviar un código a esta dirección. Comprueba que la has escrito bien.",

  signUpTitle: "Crea tu cuenta",
  signUpHave: "¿Ya tienes cuenta?",
  emailMalformed: "Este correo electrónico no es válido. Comprueba que lo has escrito bien.",
  usernameMalformed: "Este nombre de usuario no está permitido. Elige otro.",
  usernameTaken: "Este nombre de usuario ya está en uso. Elige otro.",
  phoneMalformed: "Introduce tu número de teléfono con + y el prefijo del país.",
  phoneMisspelled: "Escribe el número así: {number}",
  phoneUsed: "Has iniciado sesión con este número. Añade otro.",
  accountTaken: "No podemos crear una cuenta con estos datos. Si ya tienes una, inicia sesión.",

  codeTitleEmail: "Revisa tu correo",
  codeTitleSms: "Revisa tus mensajes",
  codeLeadEmail: "Introduce el código que hemos enviado a {address}.",
  codeLeadSms: "Introduce el código que hemos enviado por SMS a {address}.",
  codeLeadReset: "Si existe una cuenta para {address}, le hemos enviado un código. Introduce el código aquí.",
  codeLeadAccount: "Si esta cuenta existe, hemos enviado un código a su correo electrónico. Introduce el código aquí.",
  codeMissing: "Introduce el código que te hemos enviado.",
  codeWrong: "El código no es correcto o ya no es válido. Compruébalo o pide otro.",
  codesTooMany: "Hemos enviado demasiados códigos. Usa el último o inténtalo de nuevo en 10 minutos.",
  newNumbersTooMany:
    "Por ahora no podemos enviar más códigos a números de teléfono nuevos. Usa el último código o inténtalo de nuevo en una hora.",
  codeChangeSignUp: "Cambiar tus datos",
  codeUsePassword: "Usar tu contraseña",

  factorTitleTotp: "Introduce el código de la aplicación",
  factorTitlePhone: "Revisa tus mensajes",
  factorTitleEmail: "Revisa tu correo",
  factorTitleRecovery: "Introduce el código de recuperación",
  factorTitleKey: "Usa tu llave de seguridad",
  factorTitlePasskey: "Usa tu llave de acceso",
  factorLeadTotp: "Abre tu aplicación de autenticación e introduce el código de 6 dígitos de {tenant}.",
  factorLeadCall: "Llamaremos a {address} y te dictaremos un código.",
  factorLeadCalled: "Introduce el código de nuestra llamada a {address}.",
  addCallLead: "Llamaremos a este número con un código cada vez que inicies sesión.",
  factorLeadEmail: "Introduce el código que hemos enviado a {address}.",
  factorLeadPhone: "Introduce el código que hemos enviado por SMS a {address}.",
  factorLeadRecovery:
    "Introduce el código de recuperación que guardaste al configurar la verificación en dos pasos. Solo se puede usar una vez.",
  factorLeadKey: "Confirma tu identidad con tu llave de seguridad.",
  factorLeadPasskey: "Confirma tu identidad con tu huella, tu cara o el bloqueo de pantalla.",
  factorCodeMissing: "Introduce el código.",
  factorCodeWrong: "El código no es correcto o ya no es válido. Compruébalo o usa uno más reciente.",
  factorTooManyAttempts: "Demasiados códigos incorrectos. Espera unos minutos o prueba otro método.",
  factorAddedElsewhere: "Se acaba de añadir otro método a tu cuenta. Usa ese método para continuar.",
  factorLocked:
    "Demasiados intentos fallidos. Podrás volver a probar este método a partir de esta hora: {time}. Mientras tanto, usa otro método si dispones de uno.",

  addFactorTitle: "Configura la verificación en dos pasos",
  addFactorLead: "{tenant} exige un segundo paso para iniciar sesión. Elige cómo quieres confirmar tu identidad.",
  addFactorPhoneHint: "Códigos enviados a tu teléfono",
  webauthnAddLead: "El navegador te pedirá tu llave de seguridad. Sigue sus instrucciones.",
  webauthnWaiting: "El navegador espera tu llave de acceso o de seguridad. Sigue sus instrucciones o elige otro método si dispones de uno.",
  webauthnNeedsScript:
    "Una llave de acceso o de seguridad requiere JavaScript y un navegador compatible. Elige otro método si dispones de uno.",
  webauthnFailed: "No ha funcionado. Inténtalo de nuevo o elige otro método.",
  webauthnUnavailable: "Tu llave no se puede usar en esta dirección web. Elige otro método si dispones de uno.",

  passkeyFailed: "No hemos podido iniciar sesión con esta llave de acceso. Inténtalo de nuevo o elige otro método.",
  newPasskeyTitle: "Crea una llave de acceso",
  newPasskeyLead: "Inicia sesión con tu huella, tu cara o el bloqueo de pantalla. No necesitas contraseña.",
  addPasskeyTitle: "Inicia sesión sin contraseña",
  addPasskeyLead:
    "Crea una llave de acceso e inicia sesión la próxima vez con tu huella, tu cara o el bloqueo de pantalla. Tu contraseña seguirá funcionando.",
  addPasskeyDeviceTitle: "Crea una llave de acceso en este dispositivo",
  addPasskeyDeviceLead:
    "Has iniciado sesión con la llave de acceso de otro dispositivo. Con una en este dispositivo, la próxima vez no necesitarás el otro.",

  addTotpTitle: "Configura la aplicación de autenticación",
  addTotpLead: "Añade tu cuenta a una aplicación de autenticación. Después, introduce el código que muestra la aplicación.",
  addTotpScan: "Escanea este código QR con la aplicación:",
  addTotpQr: "Código QR para tu aplicación de autenticación",
  addTotpManual: "O introduce esta clave en la aplicación:",
  addPhoneTitle: "Añade tu teléfono",
  addPhoneLead: "Enviaremos un código por SMS a este número cada vez que inicies sesión.",

  addFactorFrozen:
    "Nos avisaste de un cambio en tus métodos de inicio de sesión que no hiciste tú. Por eso no se puede añadir ninguno durante 24 horas, y sin un segundo paso no puedes iniciar sesión. Inténtalo más tarde o ponte en contacto con el servicio de asistencia.",
  securityMethods: "Tus métodos de inicio de sesión",
  securityNone: "Todavía no tienes un segundo paso. Con él, una contraseña robada no basta para iniciar sesión.",
  securitySynced: "Sincronizada entre tus dispositivos",
  securityAddLead: "Elige cómo quieres confirmar tu identidad al iniciar sesión.",
  securityRecoverySet: "Tienes un código de recuperación. Si lo has perdido, crea uno nuevo.",
  securityRecoveryNone: "Con un código de recuperación podrás iniciar sesión una vez si pierdes los demás métodos.",
  securityRenameLead: "Elige un nombre que te ayude a reconocerlo: {name}",
  securityNameMissing: "Escribe un nombre.",
  securityRemoveLead: "Ya no podrás confirmar tu identidad con: {name}",
  securityRemoveLast: "Es tu único segundo paso. Sin él, ya no pediremos ninguno al iniciar sesión.",
  securityRequiredLead: "{tenant} exige un segundo paso. Añade otro método antes de eliminar este.",
  securityFrozenLead:
    "Nos avisaste de un cambio que no hiciste tú. Por eso los métodos de inicio de sesión no se pueden cambiar durante 24 horas. Puedes seguir usándolos para iniciar sesión.",
  securityAgainLead:
    "Para cambiar tus métodos de inicio de sesión, debes haber iniciado sesión en los últimos 15 minutos. Cierra la sesión aquí y después iníciala de nuevo en la aplicación.",
  securityUnavailableLead:
    "Ninguno de tus métodos de inicio de sesión funciona aquí en este momento, así que no se pueden cambiar. Ponte en contacto con el servicio de asistencia.",
  securityNoSessionLead: "Inicia sesión en la aplicación con este navegador y después vuelve a esta página.",
  securityConflict:
    "No se ha guardado el cambio. Puede que haya demasiados métodos o que se hayan cambiado en otra ventana. Inténtalo de nuevo.",
  undoLead: "Continúa si no hiciste el cambio en tu cuenta de {tenant} del que te avisamos.",
  undoSignsOut: "Se cerrarán todas tus sesiones.",
  undoNote: "Tus métodos de inicio de sesión no cambian. Si alguno no es tuyo, ponte en contacto con el servicio de asistencia.",
  undoDoneTitle: "Tu cuenta está protegida",
  undoDoneLead:
    "Se han cerrado todas tus sesiones y los métodos de inicio de sesión no se pueden cambiar durante 24 horas. Elige ahora una nueva contraseña. Si algún método no es tuyo, ponte en contacto con el servicio de asistencia.",
  undoRemainsTitle: "Comprueba tus métodos de inicio de sesión",
  undoRemainsLead:
    "Se han cerrado todas tus sesiones y los métodos de inicio de sesión no se pueden cambiar durante 24 horas. Pero un método añadido o sustituido hace poco sigue funcionando. Si no es tuyo, ponte en contacto con el servicio de asistencia. Elige ahora una nueva contraseña.",
  undoUsedLead:
    "Con este enlace ya se cerraron todas las sesiones. Si algo sigue sin estar bien, ponte en contacto con el servicio de asistencia.",
  undoExpiredLead: "Si no reconoces un cambio en tu cuenta, elige una nueva contraseña y ponte en contacto con el servicio de asistencia.",

  recoveryTitle: "Guarda tu código de recuperación",
  recoveryLead:
    "Si pierdes tus otros métodos, puedes iniciar sesión una vez con este código. Anótalo o guárdalo en un lugar seguro. No volveremos a mostrarlo.",
  recoverySpentTitle: "Guarda tu nuevo código de recuperación",
  recoverySpentLead:
    "El código que has introducido ya se ha gastado y no volverá a funcionar. Este lo sustituye. Anótalo o guárdalo en un lugar seguro. No volveremos a mostrarlo.",
  recoveryReplace: "Si has perdido un método, sustitúyelo en los ajustes de seguridad: añade uno nuevo y elimina el perdido.",
  recoveryLabel: "Tu código de recuperación",

  resetTitle: "Restablece tu contraseña",
  resetLead: "Te enviaremos un código y un enlace para elegir una nueva contraseña.",
  newPasswordTitle: "Elige una nueva contraseña",
  newPasswordNote: "Se cerrará tu sesión en los demás dispositivos.",

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
  blocked: "Esta cuenta está bloqueada. Ponte en contacto con {tenant}.",

  consentTitle: "¿Permitir que {client} use tu cuenta?",
  consentAccount: "Has iniciado sesión como {account}",
  consentActs: "{client} podrá actuar por ti en {audience}, también cuando se lo pidan otras aplicaciones.",
  consentNothing: "{client} solo necesita confirmar tu identidad.",
  consentNotYou: "¿No eres tú?",
  consentNotYouName: "¿No eres tú? Usar otra cuenta",
  consentTrust: "Después volverás a {destination}. Permite el acceso solo si confías en {client}.",
  consentAppTitle: "¿Permitir que esta aplicación use tu cuenta?",
  consentAppNothing: "La aplicación solo necesita confirmar tu identidad.",
  consentReturn: "Después volverás a",
  consentUnchecked: "Nadie ha comprobado el nombre de la aplicación. Permite el acceso solo si has iniciado tú este proceso.",
  deviceLead: "Introduce el código que muestra tu dispositivo.",
  deviceCodeMissing: "Introduce el código.",
  deviceCodeWrong: "Este código es incorrecto o ha caducado. Compruébalo en tu dispositivo u obtén allí uno nuevo.",
  deviceNote: "¿Alguien te ha enviado este código? No lo introduzcas.",
  deviceConfirmTitle: "¿Iniciar sesión en {client} en tu dispositivo?",
  deviceConfirmLead: "Comprueba que tu dispositivo muestra este código:",
  deviceOtherNetwork: "El dispositivo está en una red distinta de la de este navegador. Continúa solo si sabes por qué.",
  deviceConfirmNote:
    "Continúa solo si has iniciado tú este proceso en un dispositivo que tienes delante. Cualquier persona con el dispositivo podrá usar tu cuenta.",
  deviceApprovedLead: "Continúa en tu dispositivo. Puedes cerrar esta página.",
  deviceDeniedLead: "Puedes cerrar esta página. Si no has iniciado tú este proceso, es posible que alguien quisiera acceder a tu cuenta.",
  deviceLostLead: "Vuelve a empezar en tu dispositivo para obtener un código nuevo.",
  scopeOpenid: "Confirmar tu identidad",
  scopeProfile: "Ver tu nombre, tu foto y otros datos de tu perfil",
  scopeEmail: "Ver tu correo electrónico",
  scopePhone: "Ver tu número de teléfono",
  scopeAddress: "Ver tu dirección postal",
  scopeOfflineAccess: "Mantener este acceso cuando no estés presente",

  accountTitle: "Elige una cuenta",

  organizationTitle: "Elige una organización",
  organizationNone: "Ninguna organización tiene ese nombre. Comprueba que lo has escrito bien.",

  invitationTitle: "¿Unirte a {organization}?",
  invitationLead: "{inviter} te ha invitado a unirte a {organization}.",
  invitationOther: "Esta invitación es para {email}. Inicia sesión con esa cuenta para aceptarla.",

  createAccountTitle: "Crea tu cuenta",
  createAccountPassword: "Elige una contraseña",
  demandsAll: "Tu contraseña cumple todos los requisitos.",
  passwordTooCommon: "Esta contraseña es demasiado común. Elige otra.",
  passwordPersonal: "Esta contraseña contiene tu nombre o tu dirección. Elige otra.",
  passwordLeaked: "Esta contraseña apareció en una filtración de datos de otro servicio. Elige una que no uses en ningún otro sitio.",

  linkConfirmTitle: "Confirma tu correo electrónico",
  linkConfirmLead: "Tu cuenta de {tenant} usa esta dirección. Confirma que es tuya.",
  linkAskTitle: "¿Has creado esta cuenta?",
  linkAskLead: "Una cuenta de {tenant} usa tu dirección.",
  linkAskNote: "Si no la has creado, elige «No». La contraseña de la cuenta dejará de funcionar y se cerrará la sesión de quien la creó.",
  linkVerifiedTitle: "Tu dirección está confirmada",
  linkVerifiedLead: "Puedes continuar en la aplicación.",
  linkDisownedLead: "La contraseña de esta cuenta ya no funciona. Si quieres usar la cuenta, establece una nueva.",
  passwordFormer: "Ya has usado esta contraseña antes. Elige otra.",
  linkChangedTitle: "Tu contraseña ha cambiado",
  linkChangedLead: "Se han cerrado todas tus sesiones. Inicia sesión con tu nueva contraseña.",
  linkUsedLead: "Se usó para establecer una contraseña. Si fuiste tú, abre la aplicación e inicia sesión. Si no, pide un enlace nuevo.",
  linkSentTitle: "Revisa tu correo",
  linkSentLead:
    "Si tienes una cuenta, te hemos enviado un enlace para elegir una nueva contraseña. Es válido durante una hora. Si no lo recibes, revisa la carpeta de spam o inténtalo de nuevo.",
  linkExpiredLead: "Los enlaces de los correos son válidos por tiempo limitado. Podemos enviarte uno nuevo.",
  linkUnknownLead: "Puede que esté incompleto o sea demasiado antiguo. Abre de nuevo el enlace del correo o cópialo entero.",
  noUsableFactorLead:
    "Ahora no se puede usar ninguno de tus métodos de verificación en dos pasos. Inténtalo de nuevo más tarde o ponte en contacto con el soporte.",
  enrolledLead: "A partir de ahora puedes confirmar así tu inicio de sesión. Puedes cerrar esta página.",
  linkEndedLead: "El enlace ya se usó, ha caducado o la cuenta ha cambiado desde entonces. Pide un nuevo enlace.",
  linkRequestLead: "Introduce tus datos. Enviaremos al correo electrónico de tu cuenta un enlace para elegir una nueva contraseña.",

  linkCodeLead: "Con este enlace inicias sesión en este navegador.",
  linkCodeElsewhere: "Has empezado en otro navegador. Para iniciar sesión allí, introduce allí el código del mensaje.",
  linkCodeNote: "Si no has pedido este enlace o esta dirección no es tuya, cierra esta página.",
  linkCodeUsed: "Ya se ha usado o ha caducado. Vuelve a la aplicación y pide uno nuevo.",
  linkFactorRequired:
    "Tu cuenta usa la verificación en dos pasos, así que este enlace no puede iniciar sesión aquí. Ábrelo en el navegador en el que empezaste o introduce allí el código del mensaje.",

  logoutLead: "Se cerrará tu sesión de {tenant} en este navegador.",
  logoutStay: "Para mantener la sesión abierta, cierra esta página.",

  loggedOutLead: "Ya puedes cerrar esta página.",

  errorLead:
    "Hay un problema con esta solicitud. Vuelve a la aplicación y empieza de nuevo. Si no se soluciona, envía estos datos al servicio de asistencia de la aplicación.",
  expiredLead:
    "Estuvo abierta demasiado tiempo, o el inicio de sesión comenzó en otro navegador. Vuelve a la aplicación y empieza de nuevo.",
  noLoginTitle: "Empieza en la aplicación",
  noLoginLead:
    "No se puede iniciar sesión directamente desde esta dirección. Quizá la guardaste como marcador. Abre la aplicación que quieres usar e inicia sesión en ella.",
  notFoundLead: "Puede que la dirección esté mal escrita o que la página ya no exista. Vuelve a la aplicación y empieza desde allí.",
  cookiesTitle: "Tu navegador ha bloqueado una cookie",
  cookiesLead:
    "Esta página necesita una cookie para reconocer tu navegador. Permite las cookies de este sitio, vuelve a la aplicación y empieza de nuevo. También puedes usar una ventana privada u otro navegador.",
  invitationExpiredLead: "Pide una nueva invitación a la persona que te invitó.",
  invitationUsedLead: "Si fuiste tú, abre la aplicación e inicia sesión. Si no, pide una nueva invitación a la persona que te invitó.",
  invitationWithdrawnLead: "Pregunta a la persona que te invitó si aún puedes unirte.",
  noConnectionLead:
    "Aquí no está configurado el inicio de sesión en aplicaciones que se registran por sí mismas. Si necesitas esta aplicación, ponte en contacto con el soporte.",
  answeredLead: "Aquí no queda nada por hacer. Continúa en la aplicación.",

  formPostLead: "Si no ocurre nada en unos segundos, usa el botón.",
  providerDeclined: "No terminaste de iniciar sesión. Inténtalo de nuevo o elige otra opción.",
  providerFailed: "No se pudo iniciar sesión de esta forma. Inténtalo de nuevo o elige otra opción.",
  noAccountHere: "Aún no tienes una cuenta y no puedes crearla de esta forma. Inicia sesión de otra forma.",
  linkAccountLead: "Ya tienes una cuenta con {email}. Inicia sesión una vez para vincularla con {provider}.",
  linkAccountFailed: "Esta cuenta de {provider} no se puede vincular con tu cuenta existente. Puedes usarla como cuenta aparte.",
};
