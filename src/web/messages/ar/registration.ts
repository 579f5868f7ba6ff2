export const registration = {
  title: "تسجيل أداة الفصل",
  done: "سُجّلت الأداة",
  doneText: "أصبح {{platform}} وهذه الأداة يعرف كل منهما الآخر.",
  next: {
    moodle:
      "الأداة في Moodle قيد الانتظار. أغلق هذه النافذة، واختر Activate هناك، ثم أظهرها في منتقي الأنشطة.",
    canvas: "أغلق هذه النافذة وأكمل في Canvas: راجع ما يُسمح للأداة به، وفعّلها، ثم شغّل مفتاحها.",
    other: "إن أظهر نظام إدارة التعلّم الأداة قيد الانتظار، ففعّلها هناك. ويمكنك إغلاق هذه النافذة.",
  },
  known: "نظام إدارة التعلّم هذا مسجَّل من قبل",
  knownText:
    "حدّث {{platform}} إعداداته الخاصة بالأداة. لم يتغيّر شيء من هذا الجانب: المقررات والدرجات والعناوين كما كانت.",
  knownOff:
    "التسجيل متوقف من هذا الجانب. اطلب ممن يشغّل أداة الفصل تشغيله، وإلى ذلك الحين تُرفض عمليات الدخول.",
  withheld: "غير مسموح به بعد",
  withheldText: "لا يسمح نظام إدارة التعلّم للأداة بكل ما وُجدت له. اسمح بما يلي فيه:",
  close: "إغلاق هذه النافذة",
  invitation: {
    lead: "أعطِ هذا العنوان لنظام إدارة التعلّم، فيعرف كل من الطرفين ما يلزمه عن الآخر. يعمل مرة واحدة، حتى",
    staging: "النظام المسجَّل به يستخدم بيئة الفصل التجريبية (staging)، المخصصة للتجربة.",
    address: "عنوان التسجيل",
    moodle: {
      heading: "في Moodle",
      open: "افتح \u2066Site administration > Plugins > Activity modules > External tool > Manage tools\u2069.",
      paste: "الصق عنوان التسجيل تحت Tool URL واختر Add LTI Advantage.",
      activate: "بعد إغلاق النافذة، اختر Activate على بطاقة الأداة.",
      show: "افتح إعدادات الأداة (الترس) واضبط Tool configuration usage على Show in activity chooser and as a preconfigured tool.",
      network:
        "يطلب Moodle من هذه الأداة مفاتيحها. إن لم يكن مسموحًا له بالوصول إلى عنوان الأداة (شبكة خاصة، أو منفذ غير 80 و443)، فاسمح بذلك تحت \u2066Site administration > General > Security > HTTP security\u2069.",
    },
    canvas: {
      heading: "في Canvas",
      open: "بصفتك مسؤول حساب، افتح \u2066Admin > Developer Keys > + Developer Key > LTI Registration\u2069. وفي Canvas الأحدث: \u2066Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration\u2069.",
      paste: "الصق عنوان التسجيل وتابع.",
      review: "راجع ما تطلبه الأداة، واترك كل الخدمات مفعّلة، واختر \u2066Enable & Close\u2069.",
      install:
        "إن لم تظهر الأداة في المقررات تلقائيًا: \u2066Settings > Apps > + App\u2069، ونوع الإعداد By Client ID، مع رقم المفتاح. والخطوات نفسها داخل مقرر واحد أو حساب فرعي تثبّتها فيه فقط.",
      json: "حيث لا يتوفر التسجيل الديناميكي: \u2066+ Developer Key > LTI Key\u2069، والطريقة Enter URL، مع هذا العنوان. ثم أخبر من يشغّل أداة الفصل برقم المفتاح.",
      jsonAddress: "إعدادات Canvas",
    },
    other: {
      heading: "في نظام آخر",
      open: "ابحث عن أدوات LTI 1.3 \u200f(LTI Advantage)، ثم فيها عن التسجيل الديناميكي أو عنوان تسجيل (registration URL).",
      paste: "الصق عنوان التسجيل، وأكمل في النافذة التي تُفتح، ثم فعّل الأداة.",
      scopes: "اسمح للأداة بقراءة أشخاص المقرر وكتابة درجاته.",
    },
    byHand: {
      heading: "يدويًا",
      text: "حيث لا يسجّل النظام الأدوات تلقائيًا، أدخل هذه القيم. ثم أعطِ من يشغّل أداة الفصل ما يعرضه النظام: جهة الإصدار (issuer أو platform id)، ومعرّف العميل (client id)، ومعرّف النشر (deployment id)، وعناوين المصادقة ورموز الوصول والمفاتيح العامة.",
      launch: "عنوان الأداة والرابط الهدف وعنوان إعادة التوجيه",
      login: "عنوان بدء تسجيل الدخول",
      keys: "عنوان مجموعة المفاتيح العامة",
      logo: "الأيقونة",
      moodleParameters: "المعاملات المخصصة، Moodle",
      otherParameters: "المعاملات المخصصة، الأنظمة الأخرى",
      scopes: "الخدمات (النطاقات)",
    },
    copy: "نسخ",
    copyWhat: "نسخ: {{what}}",
    copied: "تم النسخ: {{what}}",
    copiedShort: "تم النسخ",
    selected: "تم التحديد. انسخه بالضغط على \u2066Ctrl+C\u2069، أو \u2066⌘C\u2069 على أجهزة Mac.",
  },
};
