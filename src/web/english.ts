import accounts from "../../views/locales/en/accounts.json" with { type: "json" };
import alerts from "../../views/locales/en/alerts.json" with { type: "json" };
import analytics from "../../views/locales/en/analytics.json" with { type: "json" };
import browser from "../../views/locales/en/browser.json" with { type: "json" };
import checkIn from "../../views/locales/en/checkIn.json" with { type: "json" };
import choose from "../../views/locales/en/choose.json" with { type: "json" };
import closed from "../../views/locales/en/closed.json" with { type: "json" };
import cohorts from "../../views/locales/en/cohorts.json" with { type: "json" };
import comment from "../../views/locales/en/comment.json" with { type: "json" };
import console from "../../views/locales/en/console.json" with { type: "json" };
import copied from "../../views/locales/en/copied.json" with { type: "json" };
import doctor from "../../views/locales/en/doctor.json" with { type: "json" };
import ended from "../../views/locales/en/ended.json" with { type: "json" };
import enter from "../../views/locales/en/enter.json" with { type: "json" };
import errors from "../../views/locales/en/errors.json" with { type: "json" };
import front from "../../views/locales/en/front.json" with { type: "json" };
import grades from "../../views/locales/en/grades.json" with { type: "json" };
import grading from "../../views/locales/en/grading.json" with { type: "json" };
import grid from "../../views/locales/en/grid.json" with { type: "json" };
import guide from "../../views/locales/en/guide.json" with { type: "json" };
import home from "../../views/locales/en/home.json" with { type: "json" };
import inbox from "../../views/locales/en/inbox.json" with { type: "json" };
import institution from "../../views/locales/en/institution.json" with { type: "json" };
import label from "../../views/locales/en/label.json" with { type: "json" };
import language from "../../views/locales/en/language.json" with { type: "json" };
import mail from "../../views/locales/en/mail.json" with { type: "json" };
import mine from "../../views/locales/en/mine.json" with { type: "json" };
import more from "../../views/locales/en/more.json" with { type: "json" };
import nav from "../../views/locales/en/nav.json" with { type: "json" };
import presence from "../../views/locales/en/presence.json" with { type: "json" };
import privacy from "../../views/locales/en/privacy.json" with { type: "json" };
import problem from "../../views/locales/en/problem.json" with { type: "json" };
import product from "../../views/locales/en/product.json" with { type: "json" };
import readiness from "../../views/locales/en/readiness.json" with { type: "json" };
import recordings from "../../views/locales/en/recordings.json" with { type: "json" };
import register from "../../views/locales/en/register.json" with { type: "json" };
import registration from "../../views/locales/en/registration.json" with { type: "json" };
import review from "../../views/locales/en/review.json" with { type: "json" };
import sections from "../../views/locales/en/sections.json" with { type: "json" };
import sessions from "../../views/locales/en/sessions.json" with { type: "json" };
import setUp from "../../views/locales/en/setUp.json" with { type: "json" };
import settings from "../../views/locales/en/settings.json" with { type: "json" };
import signOut from "../../views/locales/en/signOut.json" with { type: "json" };
import space from "../../views/locales/en/space.json" with { type: "json" };
import spaceList from "../../views/locales/en/spaceList.json" with { type: "json" };
import trouble from "../../views/locales/en/trouble.json" with { type: "json" };
import typed from "../../views/locales/en/typed.json" with { type: "json" };
import unmatched from "../../views/locales/en/unmatched.json" with { type: "json" };
import unplanned from "../../views/locales/en/unplanned.json" with { type: "json" };
import usage from "../../views/locales/en/usage.json" with { type: "json" };
import waiting from "../../views/locales/en/waiting.json" with { type: "json" };

/** Imported, so that the compiler knows every key; other languages are read from their folders. */
export const en = {
  accounts,
  alerts,
  analytics,
  browser,
  checkIn,
  choose,
  cohorts,
  comment,
  console,
  copied,
  closed,
  doctor,
  ended,
  enter,
  errors,
  front,
  grades,
  grading,
  grid,
  guide,
  home,
  inbox,
  institution,
  label,
  language,
  mail,
  mine,
  more,
  nav,
  presence,
  privacy,
  problem,
  product,
  readiness,
  recordings,
  register,
  registration,
  review,
  sections,
  sessions,
  setUp,
  settings,
  signOut,
  space,
  spaceList,
  trouble,
  typed,
  unmatched,
  unplanned,
  usage,
  waiting,
};

type WithoutForm<Name extends string> = Name extends `${infer Start}_${Intl.LDMLPluralRule}` ? Start : Name;

type KeysIn<Messages> = {
  [Name in keyof Messages & string]: Messages[Name] extends string
    ? WithoutForm<Name>
    : `${Name}.${KeysIn<Messages[Name]>}`;
}[keyof Messages & string];

/** A key of the English messages, such as "nav.home", without plural forms. */
export type MessageKey = KeysIn<typeof en>;

/** The rest of keys with a beginning: of "grades.files.columns" such as "learner". */
export type KeysUnder<Start extends string> = MessageKey extends infer Key
  ? Key extends `${Start}.${infer Rest}`
    ? Rest
    : never
  : never;
