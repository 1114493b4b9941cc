import type { MailTexts } from "./texts.ts";

/** The Portuguese texts for mails and text messages. */
export const ptMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "Ou use este link:",
  linkInstead: "Se o botão não funcionar, copie este endereço para o navegador:",
  footer: "Enviado para {address} por {sender}.",
  help: "Obter ajuda",

  verifySubject: "Confirme seu e-mail",
  verifyLead: "Confirme que {address} é o e-mail da sua conta em {sender}.",
  verifyButton: "Confirmar endereço",
  verifyNote: "Se você não tem conta em {sender}, ignore esta mensagem.",

  welcomeSubject: "Boas-vindas a {sender}",
  welcomeLead: "Sua conta em {sender} está pronta. Entre com {address}.",

  resetSubject: "Escolha uma nova senha",
  resetLead: "Recebemos um pedido de nova senha para sua conta em {sender}.",
  resetButton: "Escolher nova senha",
  resetNote: "Se você não pediu isso, ignore esta mensagem. Sua senha continua a mesma.",

  loginCodeSubject: "Seu código para entrar em {app}",
  loginCodeLead: "Digite este código para entrar em {app}:",
  loginCodeNote: "Não compartilhe este código. Quem o tiver pode entrar no seu lugar. Se você não tentou entrar, ignore esta mensagem.",
  loginCodeText: "{code} é seu código para entrar em {app}. Não o compartilhe.",
  loginLinkSubject: "Entrar em {app}",
  loginLinkLead: "Use este link para entrar em {app}.",
  loginLinkNote: "Não compartilhe este link. Quem o tiver pode entrar no seu lugar. Se você não tentou entrar, ignore esta mensagem.",
  loginLinkText: "Entre em {app} com este link. Não o compartilhe.",
  loginButton: "Entrar",

  invitationSubject: "{inviter} convidou você para {organization}",
  invitationLead: "{inviter} convidou você para participar de {organization}.",
  invitationButton: "Aceitar convite",
  invitationUntil: "O convite é válido até {time}.",
  invitationNote: "Se você não esperava este convite, ignore esta mensagem.",

  passwordChangedSubject: "Sua senha foi alterada",
  passwordChangedLead: "A senha da sua conta em {sender} foi alterada.",
  passwordChangedNote: "Se não foi você, escolha imediatamente uma nova senha: comece a entrar e selecione “Esqueceu a senha?”.",

  blockedSubject: "Muitas senhas incorretas na sua conta",
  blockedLead:
    "Houve muitas tentativas de entrar na sua conta em {sender} com uma senha incorreta. O login com senha está bloqueado por alguns minutos.",
  blockedNote:
    "Se foi você, espere alguns minutos e tente novamente. Caso contrário, as tentativas falharam. Uma senha que você não usa em nenhum outro lugar protege sua conta.",

  newDeviceSubject: "Novo login na sua conta",
  newDeviceLead: "Houve um login na sua conta em {sender} a partir de um novo dispositivo.",
  newDeviceNote: "Se foi você, não é preciso fazer nada. Caso contrário, escolha imediatamente uma nova senha.",

  linkCodeSubject: "Seu código para vincular {provider}",
  linkCodeLead: "Digite este código para vincular {provider} à sua conta em {sender}:",
  linkCodeNote:
    "Depois, você também poderá entrar com {provider}. Se você não pediu isso, ignore esta mensagem e não compartilhe o código.",

  accountLinkedSubject: "{provider} foi vinculado à sua conta",
  accountLinkedLead: "Agora você também pode entrar na sua conta em {sender} com {provider}.",
  accountLinkedNote: "Se foi você, não é preciso fazer nada. Caso contrário, fale imediatamente com {sender}.",

  accountExistsSubject: "Você já tem uma conta",
  accountExistsLead: "Houve uma tentativa de cadastro em {sender} com este endereço. Você já tem uma conta: entre com ela.",
  accountExistsNote: "Se você esqueceu a senha, pode escolher uma nova ao entrar. Se não foi você, ignore esta mensagem. Nada mudou.",

  factTime: "Horário",
  factDevice: "Dispositivo",
  factAddress: "Endereço IP",
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
