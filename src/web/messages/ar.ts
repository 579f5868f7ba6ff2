import { alerts } from "./ar/alerts.ts";
import { browser } from "./ar/browser.ts";
import { choose } from "./ar/choose.ts";
import { cohorts } from "./ar/cohorts.ts";
import { console } from "./ar/console.ts";
import { copied } from "./ar/copied.ts";
import { door } from "./ar/door.ts";
import { ended } from "./ar/ended.ts";
import { errors } from "./ar/errors.ts";
import { grades } from "./ar/grades.ts";
import { grading } from "./ar/grading.ts";
import { grid } from "./ar/grid.ts";
import { home } from "./ar/home.ts";
import { inbox } from "./ar/inbox.ts";
import { institution } from "./ar/institution.ts";
import { mine } from "./ar/mine.ts";
import { more } from "./ar/more.ts";
import { label } from "./ar/label.ts";
import { nav } from "./ar/nav.ts";
import { presence } from "./ar/presence.ts";
import { privacy } from "./ar/privacy.ts";
import { readiness } from "./ar/readiness.ts";
import { recordings } from "./ar/recordings.ts";
import { register } from "./ar/register.ts";
import { registration } from "./ar/registration.ts";
import { restored } from "./ar/restored.ts";
import { review } from "./ar/review.ts";
import { sections } from "./ar/sections.ts";
import { sessions } from "./ar/sessions.ts";
import { setUp } from "./ar/set-up.ts";
import { settings } from "./ar/settings.ts";
import { signOut } from "./ar/sign-out.ts";
import { space } from "./ar/space.ts";
import { told } from "./ar/told.ts";
import { trouble } from "./ar/trouble.ts";
import { unmatched } from "./ar/unmatched.ts";
import { waiting } from "./ar/waiting.ts";

/**
 * Arabic: Modern Standard, with Western digits. Buttons are verbal nouns ("حفظ"); requests are "يُرجى" with a verbal
 * noun, and a plain imperative in longer instructions; statuses are nouns of action, so that they fit everybody.
 *
 * classroom: الفصل (الفصل الافتراضي) · Space: المساحة · session, class: الجلسة · course: المقرر ·
 * learner: الطالب · instructor, teacher: المدرّس · section: الشعبة (الشُعب) · group: المجموعة · cohort: الفوج (الأفواج) ·
 * attendance: الحضور · register: سجل الحضور · PRESENT, LATE, ABSENT, EXCUSED: حضور، تأخر، غياب، بعذر ·
 * gradebook: دفتر الدرجات · grade: الدرجة · points: النقاط · recording: التسجيل · people: الأشخاص ·
 * LMS: نظام إدارة التعلّم · administrator: مسؤول النظام · launch: الدخول · deployment: عملية النشر · host: المضيف
 *
 * Addresses, paths of menus, sums and dates with hyphens stand between isolates (U+2066, U+2069), names that numbers or
 * other names follow between U+2068 and U+2069; a Latin name after a colon is led by a right-to-left mark (U+200F).
 */
export const ar = {
  language: { code: "ar", direction: "rtl" },
  product: "الفصل الافتراضي",
  enter: {
    title: "الفصل الافتراضي: {{course}}",
    heading: "فصلك الافتراضي",
    lead: "يُفتح في علامة تبويب جديدة حتى تعمل الكاميرا والميكروفون.",
    button: "دخول الفصل",
    opened: "فُتح الفصل في علامة تبويب جديدة. يمكنك العودة إلى هنا والدخول من جديد في أي وقت.",
    coursePage: "الدرجات والأشخاص",
    coursePageHint: "كل ما عدا ذلك عن فصل هذا المقرر يُفتح في علامة تبويب جديدة.",
  },
  problem: {
    titles: {
      classroom: "لا يمكن فتح الفصل",
      again: "يُرجى فتح الرابط في مقررك من جديد",
      notFound: "الصفحة غير موجودة",
      notAllowed: "غير مسموح",
      registration: "تعذّر تسجيل الأداة",
      unexpected: "حدث خطأ ما",
    },
    retry: "إعادة المحاولة",
    reference: "الرقم المرجعي: {{reference}}",
    code: "الرمز: {{code}}",
    why: "السبب (لا يراه إلا المدرّسون)",
    unavailable:
      "لا يمكن الوصول إلى الفصل في الوقت الحالي. يُرجى الانتظار دقيقة ثم إعادة المحاولة، وإن استمر ذلك فيُرجى إبلاغ المدرّس.",
    unavailableToInstructor:
      "لا يمكن الوصول إلى الفصل في الوقت الحالي. يُرجى الانتظار دقيقة ثم إعادة المحاولة، وإن استمر ذلك فيُرجى إبلاغ مسؤول النظام بما يرد أدناه.",
    storageAway:
      "لا يمكن الوصول إلى بياناتك في الوقت الحالي، ولم يتغيّر شيء ولم يُفقد شيء. يُرجى الانتظار دقيقة ثم إعادة المحاولة.",
    broken: "لم يسمح لك الفصل بالدخول. يُرجى إعادة المحاولة، وإن تكرر ذلك فيُرجى إبلاغ المدرّس.",
    brokenToInstructor:
      "لم يسمح لك الفصل بالدخول. يُرجى إعادة المحاولة، وإن تكرر ذلك فيُرجى إبلاغ مسؤول النظام بما يرد أدناه.",
    unexpected:
      "حدث خطأ من جانبنا. يُرجى إعادة المحاولة، وإن تكرر ذلك فيُرجى تزويد مسؤول النظام بالرقم المرجعي أدناه.",
    notFound: "لا توجد صفحة بهذا العنوان. افتح الفصل من الرابط في مقررك.",
    backToCourse: "العودة إلى المقرر",
  },
  alerts,
  browser,
  choose,
  cohorts,
  grades,
  grading,
  grid,
  restored,
  review,
  sections,
  sessions,
  settings,
  inbox,
  institution,
  home,
  setUp,
  mine,
  more,
  label,
  nav,
  presence,
  privacy,
  readiness,
  copied,
  ended,
  errors,
  door,
  recordings,
  register,
  registration,
  console,
  signOut,
  space,
  told,
  trouble,
  unmatched,
  waiting,
};
