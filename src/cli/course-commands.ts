import { eraseCourse } from "../modules/privacy/erase-course.ts";
import { exportCourse } from "../modules/privacy/export-course.ts";
import { type Command, operatorParts, word } from "./command.ts";
import { carriedOut, erasingParts } from "./person-commands.ts";

const whichCourse = "Which course? Its id is on its page of the console.";

/** course export ID */
export function exportOneCourse(words: readonly string[]): Command {
  const courseId = word(words, 0, whichCourse);
  return async (tools) => {
    const pieces: string[] = [];
    for await (const piece of exportCourse(await operatorParts(tools), courseId)) pieces.push(piece);
    const text = pieces.join("");
    const json: unknown = JSON.parse(text);
    return { text, json };
  };
}

/** course erase ID */
export function eraseOneCourse(words: readonly string[]): Command {
  const courseId = word(words, 0, whichCourse);
  return async (tools) => {
    const parts = await erasingParts(tools);
    const stays = "Its Space stays in the classroom; the next launch from the course begins with a new one.";
    return carriedOut(parts, await eraseCourse(parts, courseId), stays);
  };
}
