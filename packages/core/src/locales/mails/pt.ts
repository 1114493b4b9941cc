import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Portuguese. */
export const pt: MailTexts = {
  direction: "ltr",

  codeOrLink: "Ou use este link:",
  linkInstead: "Se o botão não funcionar, copie este endereço para o navegador:",
  footer: "Enviado para {address} por {sender}.",
  help: "Obter ajuda",

  verifySubject: "Confirme seu e-mail",
  verifyLead: "Confirme que {address} é seu endereço, para que {sender} saiba que esta conta é sua.",
  verifyButton: "Confirmar endereço",
  verifyNote: "Se você não tem conta em {sender}, ignore esta mensagem.",

  welcomeSubject: "Boas-vindas a {sender}",
  welcomeLead: "Sua conta em {sender} está pronta. Você entra com {address}.",

  resetSubject: "Escolha uma nova senha",
  resetLead: "Alguém pediu uma nova senha para sua conta em {sender}.",
  resetButton: "Escolher nova senha",
  resetNote: "Se não foi você, ignore esta mensagem: sua senha continua a mesma.",

  loginCodeSubject: "Seu código para entrar em {app}",
  loginCodeLead: "Digite este código para entrar em {app}:",
  loginCodeNote: "Não passe o código a ninguém: quem o tem pode entrar no seu lugar. Se você não queria entrar, ignore esta mensagem.",
  loginCodeText: "{code} é seu código para entrar em {app}. Não o passe a ninguém.",
  loginLinkSubject: "Entrar em {app}",
  loginLinkLead: "Use este link para entrar em {app}.",
  loginLinkNote: "Não passe o link a ninguém: quem o tem pode entrar no seu lugar. Se você não queria entrar, ignore esta mensagem.",
  loginLinkText: "Entre em {app} com este link. Não o passe a ninguém.",
  loginButton: "Entrar",

  invitationSubject: "{inviter} convida você para {organization}",
  invitationLead: "{inviter} convida você para participar de {organization}.",
  invitationButton: "Aceitar convite",
  invitationUntil: "O convite vale até {time}.",
  invitationNote: "Se você não sabe por que o recebeu, não faça nada.",

  passwordChangedSubject: "Sua senha foi alterada",
  passwordChangedLead: "A senha da sua conta em {sender} foi alterada.",
  passwordChangedNote: "Se não foi você, escolha já uma nova senha: comece a entrar e diga que esqueceu a senha.",

  blockedSubject: "Senhas erradas demais na sua conta",
  blockedLead: "Alguém tentou senhas erradas na sua conta em {sender}. Por alguns minutos, ninguém pode entrar nela com senha.",
  blockedNote:
    "Se foi você, espere um pouco e tente de novo. Se não, ninguém entrou; com uma senha que você não usa em nenhum outro lugar, continuará assim.",

  newDeviceSubject: "Nova entrada na sua conta",
  newDeviceLead: "Alguém entrou na sua conta em {sender} com um dispositivo que ainda não tinha sido usado.",
  newDeviceNote: "Se foi você, não é preciso fazer nada. Se não, escolha já uma nova senha.",

  linkCodeSubject: "Seu código para vincular {provider}",
  linkCodeLead: "Digite este código para vincular {provider} à sua conta em {sender}:",
  linkCodeNote:
    "Depois disso, você também poderá entrar com {provider}. Se você não pediu isso, ignore esta mensagem e não passe o código a ninguém.",

  accountLinkedSubject: "{provider} foi vinculado à sua conta",
  accountLinkedLead: "Agora também é possível entrar na sua conta em {sender} com {provider}.",
  accountLinkedNote: "Se foi você, não é preciso fazer nada. Se não, fale já com {sender}.",

  accountExistsSubject: "Você já tem uma conta",
  accountExistsLead: "Alguém tentou se cadastrar em {sender} com este endereço. Você já tem uma conta: entre com ela.",
  accountExistsNote: "Se você esqueceu a senha, escolha uma nova onde você entra. Se não foi você, ignore esta mensagem: nada mudou.",

  factTime: "Horário",
  factDevice: "Dispositivo",
  factAddress: "Endereço de rede",
};
