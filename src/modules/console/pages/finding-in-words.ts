import type { DoctorFinding } from "../../operations/rules/doctor-report.ts";
import type { Translate } from "../../../web/translate.ts";

/** A finding in the reader's language; in English where it has no code that this version knows. */
export function findingInWords(t: Translate, finding: DoctorFinding): DoctorFinding {
  const { about, message, todo, seen, advice } = finding;
  const said = seen === null ? null : t.dynamic(`doctor.seen.${seen.code}`, seen.values);
  const toDo = advice === null ? null : t.dynamic(`doctor.todo.${advice.code}`, advice.values);
  return {
    ...finding,
    about: t.dynamic(`doctor.about.${about}`) ?? about,
    message: said ?? message,
    todo: toDo ?? todo,
  };
}
