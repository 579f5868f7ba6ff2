import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders by how long each of their files runs. */
const longestFirst = ["browser", "stories", "features", "refusals", "walls", "rules"];
/** The one that takes longest is started first. The one with files of all lengths, and the one with only short ones, come last. */
const order = ["simulation", "", "one", "rules"];

/**
 * Starts the files that run for minutes before those that run for seconds, so that no worker is left alone with one at the end. Vitest by
 * default goes by size, and some of the shortest files run longest. Each project's files stay together: a worker that meets another
 * project's file ends, and a new one loads all modules again.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inFolder = ({ moduleId }: TestSpecification): number =>
      longestFirst.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    const ofProject = ({ project }: TestSpecification): number =>
      order.indexOf(order.includes(project.name) ? project.name : "");
    // Vitest groups the files of a project; sorting by what several projects may share keeps the groups.
    return (await super.sort(files)).toSorted(
      (one, other) =>
        ofProject(one) - ofProject(other) ||
        one.project.name.localeCompare(other.project.name) ||
        inFolder(one) - inFolder(other),
    );
  }
}
