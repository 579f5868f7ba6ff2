export const consoleValues = {
  heading: "ما ينبغي أن يعرفه النظام",
  lead: {
    moodle:
      "في Moodle: \u2066Site administration > Plugins > Activity modules > External tool > Manage tools > Configure a tool manually\u2069. إصدار LTI: \u200fLTI 1.3، ونوع المفتاح العام: keyset URL. تحت Services اسمح للأداة باستخدام الدرجات والعضويات، وتحت Privacy شارك الأسماء وعناوين البريد الإلكتروني.",
    canvas:
      "في Canvas: \u2066Admin > Developer Keys > + Developer Key > LTI Key\u2069، وطريقة JWK: \u200fpublic JWK URL. فعّل النطاقات أدناه، والمفتاح نفسه.",
    other: "حيث يطلب نظام إدارة التعلّم أداة LTI 1.3:",
  },
  moodle: {
    launch: "\u200fTool URL وRedirection URI وContent Selection URL",
    login: "Initiate login URL",
    keySet: "Public keyset",
    custom: "المعاملات المخصصة",
    scopes: "الخدمات (النطاقات)",
  },
  canvas: {
    launch: "\u200fTarget Link URI وRedirect URI",
    login: "OpenID Connect Initiation URL",
    keySet: "Public JWK URL",
    custom: "الحقول المخصصة",
    scopes: "خدمات LTI Advantage (النطاقات)",
  },
  other: {
    launch:
      "الرابط الهدف وعنوان إعادة التوجيه (في Moodle: \u200fTool URL وRedirection URI وContent Selection URL)",
    login:
      "عنوان بدء تسجيل الدخول (في Moodle: \u200fInitiate login URL؛ وفي Canvas: \u200fOpenID Connect Initiation URL)",
    keySet: "عنوان مجموعة المفاتيح (في Moodle: \u200fPublic keyset؛ وفي Canvas: \u200fPublic JWK URL)",
    custom: "المعاملات المخصصة، حيث يقبلها النظام",
    scopes: "الخدمات (النطاقات)",
  },
  canvasJson: "يمكن لـ Canvas أخذ كل هذا تلقائيًا: اختر الطريقة Enter URL وأدخل هذا العنوان.",
  canvasJsonLabel: "إعدادات Canvas",
};
