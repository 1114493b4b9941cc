import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Arabic. */
export const ar: MailTexts = {
  direction: "rtl",

  codeOrLink: "أو يمكن استخدام هذا الرابط:",
  linkInstead: "إذا لم يعمل الزر، يُرجى نسخ هذا العنوان إلى المتصفح:",
  footer: "أُرسلت إلى {address} من {sender}.",
  help: "المساعدة",

  verifySubject: "تأكيد بريدك الإلكتروني",
  verifyLead: "يُرجى تأكيد أن {address} هو عنوانك، كي يعرف {sender} أن هذا الحساب لك.",
  verifyButton: "تأكيد العنوان",
  verifyNote: "إذا لم يكن لديك حساب لدى {sender}، يُرجى تجاهل هذه الرسالة.",

  welcomeSubject: "مرحبًا بك في {sender}",
  welcomeLead: "حسابك لدى {sender} جاهز. يمكنك تسجيل الدخول باستخدام {address}.",

  resetSubject: "اختيار كلمة مرور جديدة",
  resetLead: "طلب شخص ما كلمة مرور جديدة لحسابك لدى {sender}.",
  resetButton: "اختيار كلمة مرور جديدة",
  resetNote: "إذا لم يكن الطلب منك، يُرجى تجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.",

  loginCodeSubject: "رمز تسجيل الدخول إلى {app}",
  loginCodeLead: "لتسجيل الدخول إلى {app} يُرجى إدخال هذا الرمز:",
  loginCodeNote: "يجب عدم إعطاء الرمز لأحد: من يملكه يمكنه تسجيل الدخول باسمك. إذا لم ترغب في تسجيل الدخول، يُرجى تجاهل هذه الرسالة.",
  loginCodeText: "{code} هو رمز تسجيل الدخول إلى {app}. يجب عدم إعطائه لأحد.",
  loginLinkSubject: "تسجيل الدخول إلى {app}",
  loginLinkLead: "هذا الرابط لتسجيل الدخول إلى {app}.",
  loginLinkNote: "يجب عدم إعطاء الرابط لأحد: من يملكه يمكنه تسجيل الدخول باسمك. إذا لم ترغب في تسجيل الدخول، يُرجى تجاهل هذه الرسالة.",
  loginLinkText: "رابط تسجيل الدخول إلى {app}. يجب عدم إعطائه لأحد.",
  loginButton: "تسجيل الدخول",

  invitationSubject: "دعوة من {inviter} إلى {organization}",
  invitationLead: "دعوة من {inviter} للانضمام إلى {organization}.",
  invitationButton: "قبول الدعوة",
  invitationUntil: "الدعوة صالحة حتى {time}.",
  invitationNote: "إذا لم تعرف سبب وصولها إليك، فلا حاجة إلى فعل شيء.",

  passwordChangedSubject: "تم تغيير كلمة مرورك",
  passwordChangedLead: "تم تغيير كلمة مرور حسابك لدى {sender}.",
  passwordChangedNote: "إذا لم يكن التغيير منك، يُرجى اختيار كلمة مرور جديدة فورًا: بدء تسجيل الدخول ثم اختيار «هل نسيت كلمة المرور؟».",

  blockedSubject: "كلمات مرور خاطئة كثيرة لحسابك",
  blockedLead: "جرّب شخص ما كلمات مرور خاطئة لحسابك لدى {sender}. لا يمكن لأحد تسجيل الدخول إليه بكلمة مرور لبضع دقائق.",
  blockedNote: "إذا كنت أنت، يُرجى الانتظار قليلًا ثم المحاولة مرة أخرى. وإلا فلم يدخل أحد، وكلمة مرور لا تُستخدم في أي مكان آخر تُبقي الأمر كذلك.",

  newDeviceSubject: "تسجيل دخول جديد إلى حسابك",
  newDeviceLead: "سجّل شخص ما الدخول إلى حسابك لدى {sender} من جهاز لم يُستخدم من قبل.",
  newDeviceNote: "إذا كنت أنت، فلا حاجة إلى فعل شيء. وإلا فيُرجى اختيار كلمة مرور جديدة فورًا.",

  linkCodeSubject: "رمز ربط {provider} بحسابك",
  linkCodeLead: "لربط {provider} بحسابك لدى {sender} يُرجى إدخال هذا الرمز:",
  linkCodeNote: "بعد ذلك يمكن تسجيل الدخول عبر {provider} أيضًا. إذا لم تطلب ذلك، يُرجى تجاهل هذه الرسالة وعدم إعطاء الرمز لأحد.",

  accountLinkedSubject: "تم ربط {provider} بحسابك",
  accountLinkedLead: "أصبح من الممكن الآن تسجيل الدخول إلى حسابك لدى {sender} عبر {provider} أيضًا.",
  accountLinkedNote: "إذا كنت أنت، فلا حاجة إلى فعل شيء. وإلا فيُرجى التواصل مع {sender} فورًا.",

  accountExistsSubject: "لديك حساب بالفعل",
  accountExistsLead: "حاول شخص ما إنشاء حساب لدى {sender} بهذا العنوان. لديك حساب بالفعل: يمكنك تسجيل الدخول به.",
  accountExistsNote:
    "إذا نسيت كلمة المرور، يمكنك اختيار كلمة جديدة من صفحة تسجيل الدخول. وإذا لم تكن أنت، يُرجى تجاهل هذه الرسالة: لم يتغيّر شيء.",

  factTime: "الوقت",
  factDevice: "الجهاز",
  factAddress: "عنوان الشبكة",
};
