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

  testSubject: "{sender} のテストメール",
  testLead: "これは、{sender} のメール設定を確認するために {time} に送信されたテストメールです。",

  resetSubject: "新しいパスワードを設定してください",
  resetLead: "{sender} のアカウントについて、新しいパスワードの設定が依頼されました。",
  resetButton: "新しいパスワードを設定",
  resetNote: "お心当たりがない場合は、このメッセージを無視してください。パスワードは変わりません。",

  enrollSubject: "2 段階認証を設定してください",
  enrollLead: "{sender} へのログインを確認する方法を追加してください。",
  enrollButton: "設定する",
  enrollNote:
    "リンクの有効期間は 5 日間で、1 回だけ使用できます。{sender} のアカウントをお持ちでない場合は、このメッセージを無視してください。",

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

  factorCodeSubject: "{app} の確認コード",
  factorCodeLead: "{app} へのログインを完了するには、次のコードを入力してください。",
  factorCodeNote:
    "このコードを他の人に教えないでください。ログインした覚えがない場合は、パスワードを知られています。新しいパスワードを設定してください。",
  factorCodeText: "{code} は {app} の確認コードです。他の人に教えないでください。",
  factorCodeSpoken: "{app} の確認コードは {code} です。もう一度お伝えします。{code} です。他の人に教えないでください。",
  factorTotp: "認証アプリ",
  factorPhone: "電話",
  factorEmail: "メールアドレス",
  factorRecoveryCode: "リカバリーコード",
  factorSecurityKey: "セキュリティキー",
  factorDevice: "端末",
  factorPasskey: "パスキー",
  factorAddedSubject: "アカウントにログイン方法が追加されました",
  factorAddedLead: "{sender} のアカウントの 2 段階認証に、方法が追加されました：{factor}",
  factorRemovedSubject: "アカウントからログイン方法が削除されました",
  factorRemovedLead: "{sender} のアカウントの 2 段階認証から、方法が削除されました：{factor}",
  factorUpdatedSubject: "アカウントのログイン方法が変更されました",
  factorUpdatedLead: "{sender} のアカウントの 2 段階認証で、次の方法が変更されました: {factor}",
  factorChangedNote:
    "ご自身の場合は、何もする必要はありません。お心当たりがない場合は、すぐに新しいパスワードを設定し、{sender} にご連絡ください。",
  factorReplacedSubject: "アカウントのログイン方法が置き換えられました",
  factorReplacedLead: "{sender} のアカウントの 2 段階認証で、次の方法が置き換えられました：{factor}。以前のものは使えません。",
  factorUndoButton: "心当たりがない",
  factorUndoNote:
    "ボタンを押すと、アカウントはすべての場所でログアウトし、ログイン方法の変更が 24 時間停止します。ボタンは 7 日間有効です。",

  factorAdministratorNote: "この変更は管理者が行いました。お心当たりがない場合は、{sender} にご連絡ください。",
  factorLockedSubject: "コードの入力エラーが続いています",
  factorLockedLead:
    "{sender} のパスワードが入力されたあと、誤ったコードが何度も入力されました。2 段階認証のこの方法は数分間ブロックされます。",
  factorLockedNote:
    "ご自身の場合は、数分待つか、別の方法をお使いください。お心当たりがない場合は、すぐに新しいパスワードを設定してください。",

  deletionSubject: "アカウントは削除されます",
  deletionReminderSubject: "アカウントはまもなく削除されます",
  deletionLead: "お申し込みにより、{sender}のアカウントは{time}に削除されます。",
  deletionKeep: "アカウントを残す場合は、それまでにログインしてください。",
  deletionNote: "お心当たりがない場合は、すぐにログインしてアカウントを残し、新しいパスワードを設定してください。",

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

  addressCodeSubject: "{sender} でこのアドレスを確認するためのコード",
  addressCodeLead: "{sender} のアカウントでこのアドレスを使うには、次のコードを入力してください。",
  addressCodeNote: "コードを他人に教えないでください。心当たりがない場合は、このメッセージを無視してください。",
  addressCodeText: "{code} は {sender} でこの番号を使うためのコードです。他人に教えないでください。",
  addressInUseSubject: "このアドレスはすでに使われています",
  addressInUseLead:
    "{sender} の別のアカウントにこのアドレスを設定しようとする操作がありました。すでに別のアカウントのものなので、何も変更されていません。",
  addressInUseNote: "ご本人の操作の場合は、このアドレスでログインしてください。心当たりがない場合は、このメッセージを無視してください。",
  emailChangedSubject: "メールアドレスが変更されました",
  emailChangedLead: "{sender} のアカウントのメールアドレスが変更されました。",
  phoneChangedSubject: "電話番号が変更されました",
  phoneChangedLead: "{sender} のアカウントの電話番号が変更されました。",
  usernameChangedSubject: "ユーザー名が変更されました",
  usernameChangedLead: "{sender} のアカウントのユーザー名が変更されました。",
  accountAddedSubject: "アカウントがリンクされました",
  accountAddedLead: "別のアカウントで {sender} のアカウントにログインできるようになりました。",
  accountUnlinkedSubject: "アカウントのリンクが解除されました",
  accountUnlinkedLead: "リンクされていたアカウントでは、{sender} のアカウントにログインできなくなりました。",
  accountChangedNote:
    "ご本人の操作であれば、何もする必要はありません。心当たりがない場合は、すぐにボタンを押し、{sender} にお問い合わせください。",
  factTime: "日時",
  factDevice: "端末",
  factAddress: "IP アドレス",
};
