import type { ListSessionsDeps } from "./list-sessions.ts";

/**
 * The same stores, from which the sessions of a course are read once, whoever asks: the timetable, the grade and the recordings
 * on a page are made from the same ones. For the time of one request.
 */
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
