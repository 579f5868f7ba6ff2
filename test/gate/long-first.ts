import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders by how long a file of theirs runs. */
const longestFirst = ["browser", "stories", "features", "refusals", "walls", "rules"];

/**
 * Starts the files that run for minutes before those that run for seconds, so that no worker is left alone with one at the end.
 * Vitest by itself goes by size, and some of the shortest files run longest.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inFolder = ({ moduleId }: TestSpecification): number =>
      longestFirst.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
    return (await super.sort(files)).toSorted((one, other) => inFolder(one) - inFolder(other));
  }
}
