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

  testSubject: "E-mail de teste de {sender}",
  testLead: "Você enviou este e-mail em {time} para testar as configurações de e-mail de {sender}.",

  resetSubject: "Escolha uma nova senha",
  resetLead: "Recebemos um pedido de nova senha para sua conta em {sender}.",
  resetButton: "Escolher nova senha",
  resetNote: "Se você não pediu isso, ignore esta mensagem. Sua senha continua a mesma.",

  enrollSubject: "Configure a verificação em duas etapas da sua conta",
  enrollLead: "Adicione outra forma de confirmar que é você ao entrar em {sender}.",
  enrollButton: "Configurar",
  enrollNote: "O link é válido por cinco dias e pode ser usado uma vez. Se você não tem uma conta em {sender}, ignore esta mensagem.",

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

  factorCodeSubject: "Seu código de verificação para {app}",
  factorCodeLead: "Digite este código para concluir o login em {app}:",
  factorCodeNote: "Não compartilhe este código. Se você não tentou entrar, alguém sabe sua senha: escolha uma nova.",
  factorCodeText: "{code} é seu código de verificação para {app}. Não o compartilhe.",
  factorCodeSpoken: "Seu código de verificação para {app} é {code}. Repetindo: {code}. Não o compartilhe.",
  factorTotp: "aplicativo autenticador",
  factorPhone: "telefone",
  factorEmail: "endereço de e-mail",
  factorRecoveryCode: "código de recuperação",
  factorSecurityKey: "chave de segurança",
  factorDevice: "dispositivo",
  factorPasskey: "chave de acesso",
  factorAddedSubject: "Um método de login foi adicionado à sua conta",
  factorAddedLead: "A verificação em duas etapas da sua conta em {sender} agora tem mais um método: {factor}.",
  factorRemovedSubject: "Um método de login foi removido da sua conta",
  factorRemovedLead: "A verificação em duas etapas da sua conta em {sender} não tem mais este método: {factor}.",
  factorUpdatedSubject: "Um método de login da sua conta foi alterado",
  factorUpdatedLead: "Na verificação em duas etapas da sua conta em {sender}, este método foi alterado: {factor}.",
  factorChangedNote:
    "Se foi você, não é preciso fazer nada. Caso contrário, escolha imediatamente uma nova senha e entre em contato com {sender}.",
  factorReplacedSubject: "Um método de login da sua conta foi substituído",
  factorReplacedLead:
    "Este método da verificação em duas etapas da sua conta em {sender} foi substituído: {factor}. O anterior não funciona mais.",
  factorUndoButton: "Não fui eu",
  factorUndoNote:
    "O botão encerra todas as sessões da conta e suspende mudanças nos métodos de login por 24 horas. Ele funciona por 7 dias.",

  factorAdministratorNote: "Um administrador fez esta alteração. Se você não a esperava, entre em contato com {sender}.",
  factorLockedSubject: "Muitos códigos errados na sua conta",
  factorLockedLead:
    "Alguém digitou sua senha de {sender} e depois muitos códigos errados. Este método da verificação em duas etapas está bloqueado por alguns minutos.",
  factorLockedNote: "Se foi você, espere alguns minutos ou use outro método. Caso contrário, escolha imediatamente uma nova senha.",

  deletionSubject: "Sua conta será excluída",
  deletionReminderSubject: "Sua conta será excluída em breve",
  deletionLead: "Sua conta na {sender} será excluída em {time}, porque você pediu.",
  deletionKeep: "Para manter a conta, entre antes dessa data.",
  deletionNote: "Se não foi você, entre agora, mantenha a conta e escolha uma nova senha.",

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

  addressCodeSubject: "Código para confirmar este endereço em {sender}",
  addressCodeLead: "Este código permite usar este endereço na conta de {sender}:",
  addressCodeNote: "Não compartilhe este código. Se ele não foi solicitado, ignore esta mensagem.",
  addressCodeText: "{code} é o código para usar este número com {sender}. Não o compartilhe.",
  addressInUseSubject: "Este endereço já está em uso",
  addressInUseLead: "Outra conta de {sender} receberia este endereço. Ele já pertence a uma conta, por isso nada mudou.",
  addressInUseNote: "Se o pedido for legítimo, basta entrar com este endereço. Caso contrário, ignore esta mensagem.",
  emailChangedSubject: "O endereço de e-mail foi alterado",
  emailChangedLead: "O endereço de e-mail da conta de {sender} foi alterado.",
  phoneChangedSubject: "O número de telefone foi alterado",
  phoneChangedLead: "O número de telefone da conta de {sender} foi alterado.",
  usernameChangedSubject: "O nome de usuário foi alterado",
  usernameChangedLead: "O nome de usuário da conta de {sender} foi alterado.",
  accountAddedSubject: "Uma conta foi vinculada",
  accountAddedLead: "Outra conta já pode ser usada para entrar na conta de {sender}.",
  accountUnlinkedSubject: "Uma conta foi desvinculada",
  accountUnlinkedLead: "Uma conta vinculada não pode mais ser usada para entrar na conta de {sender}.",
  accountChangedNote:
    "Se a alteração era esperada, não é preciso fazer nada. Caso contrário, use o botão imediatamente e fale com {sender}.",
  factTime: "Horário",
  factDevice: "Dispositivo",
  factAddress: "Endereço IP",
};
