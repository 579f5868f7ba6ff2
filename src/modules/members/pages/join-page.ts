import { z } from "zod";
import type { App } from "../../../app.ts";
import { keyOfCourse, type Person } from "../../../domain/course.ts";
import { personName } from "../../../domain/person-name.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { byId } from "../../../kernel/lists.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import type { Again, CoursePages } from "../../../web/course-pages.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { courseNameOf, type PageOf, sectionsText } from "../../../web/course-words.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import { joinAccounts, separateAccounts } from "../../attendance/join-accounts.ts";
import { isJoinable } from "../join-members.ts";
import { everyMember } from "../people.ts";
import { plainName } from "../rules/names.ts";
import type { ListedMember } from "../store/member-store.ts";

const fields = z.object({
  person: z.string().max(100).catch(""),
  search: z.string().max(100).catch(""),
  now: z.string().max(100).catch(""),
});

const news = z.enum(["joined", "separated"]);
type JoinMessage = z.infer<typeof news> | { problem: string };

export type JoinPage = PageOf<typeof joinModel>;

/** Two accounts of one person, for instructors who may correct attendance. */
export function addJoinPage(app: App, pages: CoursePages<App>): void {
  pages
    .page("/course/people/join", {
      who: "corrections",
      fields,
      address: ({ person, search }) => ({ person, search }),
      news,
      view: defineView<JoinPage>("course/people-join"),
      model: joinModel,
    })
    .act("/course/people/join/do", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { person, now }, after }) => {
        await joinAccounts(app, course, session.personId, { personId: person, joinedTo: now });
        return after("joined");
      },
      failed,
    })
    .act("/course/people/join/undo", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { person }, after }) => {
        await separateAccounts(app, course, session.personId, person);
        return after("separated");
      },
      failed,
    });
}

/** Said on the page, where the list is as it is now. */
function failed(
  error: NamedError,
  { t, again }: { t: Translate; again: (problem: JoinMessage, status: number) => Again },
) {
  return error.code.startsWith("join-") ? again({ problem: sayError(t, error) }, error.status) : null;
}

const maxListed = 50;

/** One account, and those that it may be now: the likely ones first; an instructor chooses. */
async function joinModel(
  app: App,
  {
    visit: { course },
    fields: { person: personId, search },
    words,
  }: PageAsked<"corrections", z.infer<typeof fields>>,
  message: JoinMessage | null,
) {
  const { t } = words;
  const members = await everyMember(app, keyOfCourse(course));
  const people = byId(await app.people.findMany(members.map((one) => one.personId)));
  const member = members.find((one) => one.personId === personId);
  const person = people.get(personId);
  if (member === undefined || person === undefined) throw refusal("learner-unknown", { status: 404 });
  const others = members.flatMap((one) => {
    const other = people.get(one.personId);
    if (other === undefined || other.id === personId || !isOffered(one, search)) return [];
    const sections = sectionsText(words, one.sectionIds);
    const reasons = reasonsToLook(t, person, other);
    return [{ personId: other.id, name: personName(other), user: other.sub, sections, reasons }];
  });
  const name = personName(person);
  const now = member.joinedTo == null ? undefined : people.get(member.joinedTo);
  const both = now === undefined ? null : { name, now: personName(now), user: now.sub };
  return {
    title: t("joins.title", { course: courseNameOf(t, course) }),
    heading: both === null ? t("joins.ask", { name }) : t("joins.counts", { name: both.now }),
    ...saidView(t, message),
    personId,
    user: person.sub,
    search,
    /** The account that it is joined to. */
    both: both === null ? null : t("joins.both", both),
    byOffice: member.joinedByOffice === true ? t("errors.join-by-office") : null,
    others: others.toSorted((a, b) => b.reasons.length - a.reasons.length).slice(0, maxListed),
  };
}

function saidView(t: Translate, message: JoinMessage | null): Record<"notice" | "problem", string | null> {
  if (message === null) return { notice: null, problem: null };
  if (typeof message === "object") return { notice: null, problem: message.problem };
  return { notice: t(`joins.news.${message}`), problem: null };
}

/** Learners who are in the course now. @param search Parts of a name. */
function isOffered(member: ListedMember, search: string): boolean {
  const words = plainName(search).split(" ");
  const isNamed = words.every((word) => member.listName.includes(word));
  return isJoinable(member) && member.active && member.joinedTo == null && isNamed;
}

/** What both accounts share. */
function reasonsToLook(t: Translate, one: Person, other: Person): string[] {
  const isSameEmail = one.email !== null && one.email.toLowerCase() === other.email?.toLowerCase();
  return [
    ...(personName(one) === personName(other) ? [t("joins.sameName")] : []),
    ...(isSameEmail ? [t("joins.sameEmail")] : []),
  ];
}
