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

  testSubject: "رسالة تجريبية من {sender}",
  testLead: "أُرسلت هذه الرسالة في {time} لاختبار إعدادات البريد الإلكتروني لدى {sender}.",

  resetSubject: "اختيار كلمة مرور جديدة",
  resetLead: "تلقّينا طلبًا لكلمة مرور جديدة لحسابك لدى {sender}.",
  resetButton: "اختيار كلمة مرور جديدة",
  resetNote: "إذا لم يكن الطلب منك، يُرجى تجاهل هذه الرسالة. تبقى كلمة مرورك كما هي.",

  enrollSubject: "إعداد التحقق بخطوتين لحسابك",
  enrollLead: "يُرجى إضافة طريقة أخرى لتأكيد هويتك عند تسجيل الدخول إلى {sender}.",
  enrollButton: "إعداد",
  enrollNote: "الرابط صالح لمدة خمسة أيام ويمكن استخدامه مرة واحدة. إذا لم يكن لديك حساب لدى {sender}، يُرجى تجاهل هذه الرسالة.",

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

  factorCodeSubject: "رمز التحقق الخاص بك إلى {app}",
  factorCodeLead: "يُرجى إدخال هذا الرمز لإكمال تسجيل الدخول إلى {app}:",
  factorCodeNote: "يُرجى عدم مشاركة هذا الرمز. إذا لم تكن محاولة تسجيل الدخول منك، فهناك من يعرف كلمة مرورك: يُرجى اختيار كلمة مرور جديدة.",
  factorCodeText: "{code} هو رمز التحقق الخاص بك إلى {app}. يُرجى عدم مشاركته.",
  factorCodeSpoken: "رمز التحقق الخاص بك إلى {app} هو {code}. مرة أخرى: {code}. يُرجى عدم مشاركته.",
  factorTotp: "تطبيق المصادقة",
  factorPhone: "الهاتف",
  factorEmail: "عنوان البريد الإلكتروني",
  factorRecoveryCode: "رمز الاسترداد",
  factorSecurityKey: "مفتاح الأمان",
  factorDevice: "الجهاز",
  factorPasskey: "مفتاح المرور",
  factorAddedSubject: "أُضيفت طريقة لتسجيل الدخول إلى حسابك",
  factorAddedLead: "أصبح للتحقق بخطوتين في حسابك لدى {sender} طريقة أخرى: {factor}.",
  factorRemovedSubject: "أُزيلت طريقة لتسجيل الدخول من حسابك",
  factorRemovedLead: "لم يعد التحقق بخطوتين في حسابك لدى {sender} يشمل هذه الطريقة: {factor}.",
  factorUpdatedSubject: "تم تغيير طريقة تسجيل دخول في حسابك",
  factorUpdatedLead: "في التحقق بخطوتين لحسابك لدى {sender} تم تغيير هذه الطريقة: {factor}.",
  factorChangedNote: "إذا كان ذلك منك، فلا حاجة إلى فعل شيء. وإلا فيُرجى اختيار كلمة مرور جديدة فورًا والتواصل مع {sender}.",
  factorReplacedSubject: "استُبدلت طريقة لتسجيل الدخول في حسابك",
  factorReplacedLead: "استُبدلت هذه الطريقة من التحقق بخطوتين في حسابك لدى {sender}: {factor}. ولم تعد السابقة تعمل.",
  factorUndoButton: "لم أفعل ذلك",
  factorUndoNote: "يسجّل الزر خروج الحساب من جميع الأجهزة، ويوقف تغييرات طرق تسجيل الدخول لمدة 24 ساعة. يعمل الزر لمدة 7 أيام.",

  factorAdministratorNote: "أجرى هذا التغيير أحد المسؤولين. إذا لم يكن متوقعًا، يُرجى التواصل مع {sender}.",
  factorLockedSubject: "رموز خاطئة كثيرة جدًا لحسابك",
  factorLockedLead: "أدخل شخص ما كلمة مرورك لدى {sender} ثم رموزًا خاطئة كثيرة جدًا. طريقة التحقق بخطوتين هذه محظورة لبضع دقائق.",
  factorLockedNote: "إذا كانت المحاولات منك، يُرجى الانتظار بضع دقائق أو استخدام طريقة أخرى. وإلا فيُرجى اختيار كلمة مرور جديدة فورًا.",

  deletionSubject: "سيُحذف حسابك",
  deletionReminderSubject: "سيُحذف حسابك قريبًا",
  deletionLead: "سيُحذف حسابك لدى {sender} في {time} كما طُلب.",
  deletionKeep: "للاحتفاظ بالحساب يكفي تسجيل الدخول قبل ذلك.",
  deletionNote: "إذا لم يكن الطلب منك، فيُرجى تسجيل الدخول الآن والاحتفاظ بالحساب واختيار كلمة مرور جديدة.",

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

  addressCodeSubject: "رمز تأكيد هذا العنوان لدى {sender}",
  addressCodeLead: "أدخل هذا الرمز لاستخدام هذا العنوان لحسابك لدى {sender}:",
  addressCodeNote: "لا تشارك هذا الرمز. إذا لم تطلبه فتجاهل هذه الرسالة.",
  addressCodeText: "{code} هو رمز استخدام هذا الرقم لدى {sender}. لا تشاركه.",
  addressInUseSubject: "هذا العنوان مستخدم بالفعل",
  addressInUseLead: "كان من المفترض أن يحصل حساب آخر لدى {sender} على هذا العنوان. إنه يخص حسابك، لذلك لم يتغير شيء.",
  addressInUseNote: "إذا كنت أنت من طلب ذلك فسجّل الدخول بهذا العنوان. وإلا فتجاهل هذه الرسالة.",
  emailChangedSubject: "تم تغيير عنوان بريدك الإلكتروني",
  emailChangedLead: "تم تغيير عنوان البريد الإلكتروني لحسابك لدى {sender}.",
  phoneChangedSubject: "تم تغيير رقم هاتفك",
  phoneChangedLead: "تم تغيير رقم الهاتف لحسابك لدى {sender}.",
  usernameChangedSubject: "تم تغيير اسم المستخدم",
  usernameChangedLead: "تم تغيير اسم المستخدم لحسابك لدى {sender}.",
  accountUnlinkedSubject: "تم إلغاء ربط حساب بحسابك",
  accountUnlinkedLead: "لم يعد من الممكن استخدام حساب مرتبط لتسجيل الدخول إلى حسابك لدى {sender}.",
  accountChangedNote: "إذا كنت أنت من قام بذلك فلا حاجة إلى أي إجراء. وإلا فاستخدم الزر فورًا وتواصل مع {sender}.",
  factTime: "الوقت",
  factDevice: "الجهاز",
  factAddress: "عنوان IP",
};
