import {
  type GradesRelease,
  type AttendanceLimits,
  limitKinds,
  maxLimitLabel,
  maxLimitNumber,
  noLimits,
  defaultUnplannedRule,
  lateMinutes,
  presentShares,
  unplannedAnswers,
  type UnplannedRule,
} from "../domain/course.ts";
import { type NewSpace, openSpace } from "../domain/course-link.ts";
import { alwaysOpen, type EntryWindow, minutesFrom } from "../domain/entry.ts";
import { languageOfLocale } from "../domain/join-settings.ts";
import {
  lowShares,
  noWeeklyMails,
  type ReminderMinutes,
  reminderMinutes,
  type WeeklyMails,
} from "../domain/mails.ts";
import { ofEach } from "../kernel/lists.ts";
import { cutTo, isDate, showsNothing, wholeNumber } from "../kernel/text.ts";

// One row for each option: its first value, and how forms and a link's custom parameter write it. Forms, the institution's
// defaults and locks, copied courses and the change log follow from the rows.

/** How one field of a form writes a value. */
export type Answers<V> = {
  /** The choices; "language" also accepts every language code. */
  offered: readonly string[];
  write(value: V): string;
  /** Null if the answer isn't offered. */
  read(answer: string): V | null;
};

export function choice<const A extends string>(...offered: A[]): Answers<A> {
  return {
    offered,
    write: (value) => value,
    read: (answer) => offered.find((one) => one === answer) ?? null,
  };
}

function numbers<const N extends number>(offered: readonly N[]): Answers<N> {
  return {
    offered: offered.map(String),
    write: String,
    read: (answer) => offered.find((one) => String(one) === answer) ?? null,
  };
}

function flag(on: string, off: string): Answers<boolean> {
  return {
    offered: [on, off],
    write: (value) => (value ? on : off),
    read: (answer) => ([on, off].includes(answer) ? answer === on : null),
  };
}

export const yesNo = flag("yes", "no");

/** "lms" follows the LMS's language, "classroom" leaves the choice to the classroom; otherwise an ISO 639-1 code. */
const language: Answers<string> = {
  offered: ["lms", "classroom"],
  write: (value) => value,
  read: (answer) =>
    language.offered.includes(answer) || languageOfLocale(answer) === answer ? answer : null,
};

export type JoinOption<V> = {
  first: V;
  form: Answers<V>;
  /** The custom parameter of a link that sets it (documented in lti-config). */
  custom: string;
  /** Translates other spellings in a custom parameter; gets lower case. */
  spelled?: (value: string) => string;
};

const yes = new Set(["true", "yes", "on", "1"]);
const no = new Set(["false", "no", "off", "0"]);
const spelledFlag = (on: string, off: string) => (value: string) => {
  if (yes.has(value)) return on;
  return no.has(value) ? off : value;
};

function joinFlag(first: boolean, custom: string): JoinOption<boolean> {
  return { first, form: yesNo, custom, spelled: spelledFlag("yes", "no") };
}

function joinChoice<V>(form: Answers<V>, first: NoInfer<V>, custom: string): JoinOption<V> {
  return { first, form, custom };
}

/** How people enter a Space, in the order of the settings page. A link may override each option of its course. */
export const joinOptions = {
  /** "tab" opens a new browser tab; "embedded" shows the Space inside the LMS page, with embed events. */
  mode: joinChoice(choice("tab", "embedded"), "tab", "space_mode"),
  /** What a teacher's launch at top level opens: the course's page, or the Space. In a frame it always opens the page. */
  instructors: joinChoice(choice("page", "space"), "page", "space_instructors"),
  /** What a learner's launch opens: the Space, their page, or the Space only when a session is near. In a frame, their page opens the Space. */
  learners: joinChoice(choice("space", "near", "page"), "space", "space_learners"),
  /** Whose arrival starts the call: a host's (startCall), anybody's (also skipCallHostCheck), or nobody's. */
  call: {
    ...joinChoice(choice("host", "anyone", "nobody"), "host", "space_start_call"),
    spelled: spelledFlag("host", "nobody"),
  },
  /** skipDeviceSetup: there is no device check, and microphone and camera start off. */
  skipDeviceSetup: joinFlag(false, "space_skip_device_setup"),
  /** gv: gallery view. */
  galleryView: joinFlag(false, "space_gallery_view"),
  /** standalone: no ways out of the Space, no Copy Link, no Invite Users. */
  standalone: joinFlag(true, "space_standalone"),
  /**
   * Whether people may enter who are neither learners nor staff in the LMS: observers, mentors, visitors. Yes by default, because
   * an LMS that names a role in its own words must not lock anyone out.
   */
  guests: joinChoice(choice("enter", "out"), "enter", "space_guests"),
  language: {
    ...joinChoice(language, "lms", "space_language"),
    spelled: (value: string) =>
      language.offered.includes(value) ? value : (languageOfLocale(value) ?? value),
  },
  /** startLocalRecording: recording starts with the call, where the browser can record. */
  startLocalRecording: joinFlag(false, "space_local_recording"),
};

export type JoinOptionName = keyof typeof joinOptions;
export type JoinSettings = { [Name in JoinOptionName]: (typeof joinOptions)[Name]["first"] };

export const joinNames = Object.keys(joinOptions).filter(isJoinName);

export function isJoinName(name: string): name is JoinOptionName {
  return Object.hasOwn(joinOptions, name);
}

function isWhole(settings: Partial<JoinSettings>): settings is JoinSettings {
  return joinNames.every((name) => name in settings);
}

const firstSettings: Partial<JoinSettings> = Object.fromEntries(
  joinNames.map((name) => [name, joinOptions[name].first]),
);
export const defaultJoinSettings = wholeSettings({});

/** Fills in the tool's first values for options that are left out. */
export function wholeSettings(settings: Partial<JoinSettings>): JoinSettings {
  const whole = { ...firstSettings, ...settings };
  if (!isWhole(whole)) throw new Error("a join option has no default");
  return whole;
}

/** A form's texts, by field. */
export type Texts<F extends string = string> = Readonly<Record<F, string>>;
type FieldProblem = "choose" | "minutes" | "sections" | "limit" | "label";
export type Problems<F extends string = string, P extends string = FieldProblem> = Partial<Record<F, P>>;

/** How the fields of an option express its value together. */
export type Codec<V, F extends string = string, P extends string = FieldProblem> = {
  fields: readonly F[];
  write(value: V): Texts<F>;
  /** Null if the answer isn't offered; then `problems` names the field. */
  read(form: Texts<F>, problems: Problems<F, P>): V | null;
};

export function readField<V, F extends string, P extends string>(
  answers: Answers<V>,
  field: F,
  form: Texts<F>,
  problems: Problems<F, P | "choose">,
): V | null {
  const value = answers.read(form[field]);
  if (value === null) problems[field] = "choose";
  return value;
}

/** "begins": a new course copies the institution's default. "follows": a course has the default until somebody there chooses a value. */
type CourseOption<V, F extends string, P extends string = FieldProblem> = {
  first: V;
  institution: "begins" | "follows";
  form: Codec<V, F, P>;
};

export function begins<V, F extends string, P extends string = FieldProblem>(
  first: V,
  form: Codec<V, F, P>,
): CourseOption<V, F, P> {
  return { first, institution: "begins", form };
}

function follows<V, F extends string, P extends string = FieldProblem>(
  first: V,
  form: Codec<V, F, P>,
): CourseOption<V, F, P> {
  return { first, institution: "follows", form };
}

export function single<V, F extends string>(field: F, answers: Answers<V>): Codec<V, F, "choose"> {
  return {
    fields: [field],
    write: (value) => ofEach([field], () => answers.write(value)),
    read: (form, problems) => readField(answers, field, form, problems),
  };
}

/** The times of an entry window; each course has its own sections. */
export type EntryWindowTimes = Pick<EntryWindow, "opens" | "minutesBefore" | "minutesAfter">;

const opens = choice("always", "around-sessions");
const newAccess = choice("Public", "Private");
const onOff = flag("on", "off");

/** The page hides the minutes while the window is always open, so errors in them don't matter then. */
const entryTimes: Codec<EntryWindowTimes, "opens" | "minutesBefore" | "minutesAfter"> = {
  fields: ["opens", "minutesBefore", "minutesAfter"],
  write: (times) => ({
    opens: times.opens,
    minutesBefore: String(times.minutesBefore),
    minutesAfter: String(times.minutesAfter),
  }),
  read: (form, problems) => {
    const chosen = readField(opens, "opens", form, problems);
    const minutes = (field: "minutesBefore" | "minutesAfter") => {
      const read = minutesFrom(form[field]);
      if (chosen === "always") return read ?? alwaysOpen[field];
      if (read === null && chosen !== null) problems[field] = "minutes";
      return read;
    };
    const [minutesBefore, minutesAfter] = [minutes("minutesBefore"), minutes("minutesAfter")];
    if (chosen === null || minutesBefore === null || minutesAfter === null) return null;
    return { opens: chosen, minutesBefore, minutesAfter };
  },
};

const newSpace: Codec<NewSpace, "newAccess" | "newWaiting"> = {
  fields: ["newAccess", "newWaiting"],
  write: ({ access, waitingRoom }) => ({ newAccess: access, newWaiting: yesNo.write(waitingRoom) }),
  read: (form, problems) => {
    const access = readField(newAccess, "newAccess", form, problems);
    const waitingRoom = readField(yesNo, "newWaiting", form, problems);
    return access === null || waitingRoom === null ? null : { access, waitingRoom };
  },
};

const unplannedAnswer = choice(...unplannedAnswers);
const presentShare = numbers(presentShares);
const lateAfter = numbers(lateMinutes);

const unplannedRule: Codec<UnplannedRule, "answer" | "presentFrom" | "lateAfter"> = {
  fields: ["answer", "presentFrom", "lateAfter"],
  write: (rule) => ({
    answer: rule.answer,
    presentFrom: String(rule.presentFrom),
    lateAfter: String(rule.lateAfter),
  }),
  read: (form, problems) => {
    const answer = readField(unplannedAnswer, "answer", form, problems);
    const presentFrom = readField(presentShare, "presentFrom", form, problems);
    const late = readField(lateAfter, "lateAfter", form, problems);
    return answer === null || presentFrom === null || late === null
      ? null
      : { answer, presentFrom, lateAfter: late };
  },
};

/** A day such as "2026-12-20", or "" for none. */
const dayOrNone: Answers<string> = {
  offered: [],
  write: (day) => day,
  read: (answer) => (answer === "" || isDate(answer) ? answer : null),
};

const minutesBefore = numbers(reminderMinutes);
const lowShare = numbers(lowShares);

const weekly: Codec<WeeklyMails, "digest" | "low"> = {
  fields: ["digest", "low"],
  write: ({ digest, low }) => ({ digest: yesNo.write(digest), low: String(low) }),
  read: (form, problems) => {
    const digest = readField(yesNo, "digest", form, problems);
    const low = readField(lowShare, "low", form, problems);
    return digest === null || low === null ? null : { digest, low };
  },
};

export const limitRows = [1, 2, 3] as const;
type LimitRow = (typeof limitRows)[number];
export type LimitField = `limit${LimitRow}${"Kind" | "Number" | "Label"}` | "limitMail";

const limitFields: readonly LimitField[] = [
  ...limitRows.flatMap((n) => [`limit${n}Kind`, `limit${n}Number`, `limit${n}Label`] as const),
  "limitMail",
];
/** "none" means that there is no limit in this row. */
export const limitKind = choice("none", ...limitKinds);

/** Up to three limits. The other fields of a row with "none" don't matter. */
const attendanceLimits: Codec<AttendanceLimits, LimitField> = {
  fields: limitFields,
  write: ({ list, mail }) => {
    const texts = limitRows.flatMap((n): [LimitField, string][] => {
      const { kind, number, label } = list[n - 1] ?? { kind: "none", number: "", label: "" };
      return [
        [`limit${n}Kind`, kind],
        [`limit${n}Number`, String(number)],
        [`limit${n}Label`, label],
      ];
    });
    const by = new Map<string, string>([...texts, ["limitMail", yesNo.write(mail)]]);
    return ofEach(limitFields, (field) => by.get(field) ?? "");
  },
  read: (form, problems) => {
    const mail = readField(yesNo, "limitMail", form, problems);
    const read = limitRows.map((n) => readLimit(n, form, problems));
    const list = read.filter((one) => one !== null && one !== "none");
    return mail === null || read.includes(null) ? null : { list, mail };
  },
};

function readLimit(n: LimitRow, form: Texts<LimitField>, problems: Problems<LimitField>) {
  const kind = readField(limitKind, `limit${n}Kind`, form, problems);
  if (kind === null || kind === "none") return kind;
  const number = wholeNumber(form[`limit${n}Number`]);
  const label = cutTo(form[`limit${n}Label`].replace(/\s+/g, " ").trim(), maxLimitLabel);
  if (!(number >= 1 && number <= maxLimitNumber)) problems[`limit${n}Number`] = "limit";
  if (label === "" || showsNothing(label)) problems[`limit${n}Label`] = "label";
  const isWrong = problems[`limit${n}Number`] !== undefined || problems[`limit${n}Label`] !== undefined;
  return isWrong ? null : { kind, number, label };
}

/** Options of a course as a whole. */
export const courseOptions = {
  /** When learners may enter. */
  doorTimes: begins<EntryWindowTimes, keyof EntryWindowTimes>(alwaysOpen, entryTimes),
  newSpace: begins(openSpace, newSpace),
  /** Whether learners may check in with a code shown in the room. */
  checkIn: begins(false, single("checkIn", onOff)),
  /** What happens to unplanned classes. */
  unplanned: follows(defaultUnplannedRule, unplannedRule),
  /** Whether learners may say that they will be absent, or that they were there. */
  learnerWords: follows(true, single("learnerWords", onOff)),
  /** How long before a session people get an e-mail (minutes); 0: never. */
  reminders: follows<ReminderMinutes, "minutes">(0, single("minutes", minutesBefore)),
  /** Which mails go out once a week. */
  weekly: follows(noWeeklyMails, weekly),
  /** The last day on which grades change automatically, in the course's time zone; "" for no end. */
  gradesUntil: follows("", single("gradesUntil", dayOrNone)),
  /** "hand": grades go to the gradebook and to learners' pages only when an instructor releases them. */
  gradesRelease: follows<GradesRelease, "gradesRelease">(
    "self",
    single("gradesRelease", choice("self", "hand")),
  ),
  /** Numbers of absences and percentages that an institution watches. */
  limits: follows<AttendanceLimits, LimitField>(noLimits, attendanceLimits),
};

export type CourseOptionName = keyof typeof courseOptions;
export type CourseOptionValues = { [Name in CourseOptionName]: (typeof courseOptions)[Name]["first"] };
export type CourseOptionField = {
  [Name in CourseOptionName]: (typeof courseOptions)[Name]["form"]["fields"][number];
}[CourseOptionName];

export function isCourseOption(name: string): name is CourseOptionName {
  return Object.hasOwn(courseOptions, name);
}

export const courseOptionNames = Object.keys(courseOptions).filter(isCourseOption);

export const courseOptionFields = courseOptionNames.flatMap(
  (name): readonly CourseOptionField[] => courseOptions[name].form.fields,
);

/** Options for which a course has the institution's default until it chooses a value. */
export const followedNames = courseOptionNames.filter(
  (name) => courseOptions[name].institution === "follows",
);
