import type { ListSessionsDeps } from "./list-sessions.ts";

/** The same stores, reading a course's sessions once per request, so that timetable, grade and recordings agree. */
export function sessionsReadOnce<
  Events extends ListSessionsDeps["events"],
  Plans extends ListSessionsDeps["sessionPlans"],
>({ events, sessionPlans }: { events: Events; sessionPlans: Plans }) {
  return {
    events: { ...events, listOfCourse: once(events.listOfCourse) },
    sessionPlans: { ...sessionPlans, listOfCourse: once(sessionPlans.listOfCourse) },
  };
}

function once<Value>(read: (courseId: string, most: number) => Promise<Value>) {
  const values = new Map<string, Promise<Value>>();
  return (courseId: string, most: number): Promise<Value> => {
    const asked = `${courseId} ${String(most)}`;
    const value = values.get(asked) ?? read(courseId, most);
    values.set(asked, value);
    return value;
  };
}
