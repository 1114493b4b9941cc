import type { MailTexts } from "./texts.ts";

/** The Japanese texts for mails and text messages. */
export const jaMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "または、次のリンクをお使いください。",
  linkInstead: "ボタンが使えない場合は、次のアドレスをブラウザーにコピーしてください。",
  footer: "{sender} から {address} に送信されました。",
  help: "ヘルプ",

  verifySubject: "メールアドレスをご確認ください",
  verifyLead: "{address} が {sender} のアカウントのメールアドレスであることを確認してください。",
  verifyButton: "アドレスを確認",
  verifyNote: "{sender} のアカウントをお持ちでない場合は、このメッセージを無視してください。",

  welcomeSubject: "{sender} へようこそ",
  welcomeLead: "{sender} のアカウントの準備ができました。{address} でログインできます。",

  resetSubject: "新しいパスワードを設定してください",
  resetLead: "{sender} のアカウントについて、新しいパスワードの設定が依頼されました。",
  resetButton: "新しいパスワードを設定",
  resetNote: "お心当たりがない場合は、このメッセージを無視してください。パスワードは変わりません。",

  loginCodeSubject: "{app} のログインコード",
  loginCodeLead: "次のコードを入力して {app} にログインしてください。",
  loginCodeNote:
    "このコードは誰にも教えないでください。コードを知っている人は、ご本人としてログインできます。お心当たりがない場合は、このメッセージを無視してください。",
  loginCodeText: "{code} は {app} のログインコードです。誰にも教えないでください。",
  loginLinkSubject: "{app} にログイン",
  loginLinkLead: "次のリンクから {app} にログインしてください。",
  loginLinkNote:
    "このリンクは誰にも教えないでください。リンクを知っている人は、ご本人としてログインできます。お心当たりがない場合は、このメッセージを無視してください。",
  loginLinkText: "このリンクから {app} にログインできます。誰にも教えないでください。",
  loginButton: "ログイン",

  invitationSubject: "{inviter} さんから {organization} への招待",
  invitationLead: "{inviter} さんから {organization} への招待が届いています。",
  invitationButton: "招待を受ける",
  invitationUntil: "招待の有効期限は {time} です。",
  invitationNote: "お心当たりがない場合は、このメッセージを無視してください。",

  passwordChangedSubject: "パスワードが変更されました",
  passwordChangedLead: "{sender} のアカウントのパスワードが変更されました。",
  passwordChangedNote:
    "お心当たりがない場合は、すぐに新しいパスワードを設定してください。ログイン画面で「パスワードをお忘れですか？」を選んでください。",

  blockedSubject: "パスワードの入力エラーが続いています",
  blockedLead: "{sender} のアカウントで、誤ったパスワードが何度も入力されました。パスワードでのログインは数分間ブロックされます。",
  blockedNote:
    "ご自身の場合は、数分待ってからもう一度お試しください。お心当たりがない場合も、ログインは失敗しています。ほかで使っていないパスワードを使うと、アカウントを保護できます。",

  newDeviceSubject: "アカウントへの新しいログイン",
  newDeviceLead: "{sender} のアカウントに、新しい端末からログインがありました。",
  newDeviceNote: "ご自身の場合は、何もする必要はありません。お心当たりがない場合は、すぐに新しいパスワードを設定してください。",

  linkCodeSubject: "{provider} を連携するためのコード",
  linkCodeLead: "次のコードを入力して、{provider} を {sender} のアカウントに連携してください。",
  linkCodeNote:
    "連携すると、{provider} でもログインできるようになります。お心当たりがない場合は、このメッセージを無視し、コードは誰にも教えないでください。",

  accountLinkedSubject: "{provider} がアカウントに連携されました",
  accountLinkedLead: "{sender} のアカウントに {provider} でもログインできるようになりました。",
  accountLinkedNote: "ご自身の場合は、何もする必要はありません。お心当たりがない場合は、すぐに {sender} にお問い合わせください。",

  accountExistsSubject: "すでにアカウントをお持ちです",
  accountExistsLead: "このアドレスで {sender} への新規登録が試みられました。すでにアカウントをお持ちですので、ログインしてください。",
  accountExistsNote:
    "パスワードをお忘れの場合は、ログイン画面で新しいパスワードを設定できます。お心当たりがない場合は、このメッセージを無視してください。何も変わっていません。",

  factTime: "日時",
  factDevice: "端末",
  factAddress: "IP アドレス",
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
