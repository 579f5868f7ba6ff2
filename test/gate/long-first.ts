import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders by how long a file of theirs runs. */
const longestFirst = ["browser", "stories", "features", "refusals", "walls", "rules"];
/** The one that lasts longest is started first. Last come the one with files of all lengths, and the one with short ones only. */
const order = ["simulation", "", "one", "rules"];

/**
 * Starts the files that run for minutes before those that run for seconds, so that no worker is left alone with one at the end.
 * Vitest by itself goes by size, and some of the shortest files run longest. Each project's files stand together: a worker that
 * meets another project's file ends, and a new one loads all modules again.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inFolder = ({ moduleId }: TestSpecification): number =>
      longestFirst.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    const ofProject = ({ project }: TestSpecification): number =>
      order.indexOf(order.includes(project.name) ? project.name : "");
    // Vitest puts the files of a project together; sorting by what several projects may share leaves them so.
    return (await super.sort(files)).toSorted(
      (one, other) =>
        ofProject(one) - ofProject(other) ||
        one.project.name.localeCompare(other.project.name) ||
        inFolder(one) - inFolder(other),
    );
  }
}
