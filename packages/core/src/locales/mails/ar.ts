import type { MailTexts } from "./texts.ts";

/** The Arabic texts for mails and text messages. */
export const arMails: MailTexts = {
  direction: "rtl",

  codeOrLink: "أو يمكن استخدام هذا الرابط:",
  linkInstead: "إذا لم يعمل الزر، يُرجى نسخ هذا العنوان إلى المتصفح:",
  footer: "أُرسلت إلى {address} من {sender}.",
  help: "المساعدة",

  verifySubject: "تأكيد بريدك الإلكتروني",
  verifyLead: "يُرجى تأكيد أن {address} هو البريد الإلكتروني لحسابك لدى {sender}.",
  verifyButton: "تأكيد العنوان",
  verifyNote: "إذا لم يكن لديك حساب لدى {sender}، يُرجى تجاهل هذه الرسالة.",

  welcomeSubject: "مرحبًا بك في {sender}",
  welcomeLead: "حسابك لدى {sender} جاهز. يمكنك تسجيل الدخول باستخدام {address}.",

  resetSubject: "اختيار كلمة مرور جديدة",
  resetLead: "تلقّينا طلبًا لكلمة مرور جديدة لحسابك لدى {sender}.",
  resetButton: "اختيار كلمة مرور جديدة",
  resetNote: "إذا لم يكن الطلب منك، يُرجى تجاهل هذه الرسالة. تبقى كلمة مرورك كما هي.",

  loginCodeSubject: "رمز تسجيل الدخول إلى {app}",
  loginCodeLead: "لتسجيل الدخول إلى {app} يُرجى إدخال هذا الرمز:",
  loginCodeNote: "يُرجى عدم مشاركة هذا الرمز مع أحد. من يملكه يمكنه تسجيل الدخول باسمك. إذا لم تحاول تسجيل الدخول، يُرجى تجاهل هذه الرسالة.",
  loginCodeText: "{code} هو رمز تسجيل الدخول إلى {app}. يُرجى عدم مشاركته مع أحد.",
  loginLinkSubject: "تسجيل الدخول إلى {app}",
  loginLinkLead: "هذا الرابط لتسجيل الدخول إلى {app}.",
  loginLinkNote: "يُرجى عدم مشاركة هذا الرابط مع أحد. من يملكه يمكنه تسجيل الدخول باسمك. إذا لم تحاول تسجيل الدخول، يُرجى تجاهل هذه الرسالة.",
  loginLinkText: "رابط تسجيل الدخول إلى {app}. يُرجى عدم مشاركته مع أحد.",
  loginButton: "تسجيل الدخول",

  invitationSubject: "دعوة من {inviter} إلى {organization}",
  invitationLead: "دعوة من {inviter} للانضمام إلى {organization}.",
  invitationButton: "قبول الدعوة",
  invitationUntil: "الدعوة صالحة حتى {time}.",
  invitationNote: "إذا لم تتوقع هذه الدعوة، يُرجى تجاهل هذه الرسالة.",

  passwordChangedSubject: "تم تغيير كلمة مرورك",
  passwordChangedLead: "تم تغيير كلمة مرور حسابك لدى {sender}.",
  passwordChangedNote: "إذا لم يكن التغيير منك، يُرجى اختيار كلمة مرور جديدة فورًا: عبر بدء تسجيل الدخول ثم اختيار «هل نسيت كلمة المرور؟».",

  blockedSubject: "محاولات كثيرة بكلمة مرور خاطئة لحسابك",
  blockedLead: "جرت محاولات كثيرة جدًا لتسجيل الدخول إلى حسابك لدى {sender} بكلمة مرور خاطئة. تسجيل الدخول بكلمة المرور محظور لبضع دقائق.",
  blockedNote:
    "إذا كانت المحاولات منك، يُرجى الانتظار بضع دقائق ثم المحاولة مرة أخرى. وإلا فقد فشلت المحاولات. كلمة مرور لا تُستخدم في أي مكان آخر تحمي حسابك.",

  newDeviceSubject: "تسجيل دخول جديد إلى حسابك",
  newDeviceLead: "تم تسجيل الدخول إلى حسابك لدى {sender} من جهاز جديد.",
  newDeviceNote: "إذا كان ذلك منك، فلا حاجة إلى فعل شيء. وإلا فيُرجى اختيار كلمة مرور جديدة فورًا.",

  linkCodeSubject: "رمز ربط {provider} بحسابك",
  linkCodeLead: "لربط {provider} بحسابك لدى {sender} يُرجى إدخال هذا الرمز:",
  linkCodeNote: "بعد ذلك يمكنك تسجيل الدخول عبر {provider} أيضًا. إذا لم تطلب ذلك، يُرجى تجاهل هذه الرسالة وعدم مشاركة الرمز مع أحد.",

  accountLinkedSubject: "تم ربط {provider} بحسابك",
  accountLinkedLead: "يمكنك الآن أيضًا تسجيل الدخول إلى حسابك لدى {sender} عبر {provider}.",
  accountLinkedNote: "إذا كان ذلك منك، فلا حاجة إلى فعل شيء. وإلا فيُرجى التواصل مع {sender} فورًا.",

  accountExistsSubject: "لديك حساب بالفعل",
  accountExistsLead: "جرت محاولة لإنشاء حساب لدى {sender} بهذا العنوان. لديك حساب بالفعل، ويمكنك تسجيل الدخول به.",
  accountExistsNote:
    "إذا نسيت كلمة المرور، يمكنك اختيار كلمة جديدة عند تسجيل الدخول. وإذا لم تكن المحاولة منك، يُرجى تجاهل هذه الرسالة. لم يتغيّر شيء.",

  factTime: "الوقت",
  factDevice: "الجهاز",
  factAddress: "عنوان IP",
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
