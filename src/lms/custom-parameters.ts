import { customParameter } from "../domain/launch.ts";
import type { PlatformFamily } from "../domain/registration.ts";

/**
 * Variables whose values we want with every launch, under names of our own: in Moodle the tool's parameters win
 * over a link's of the same name, so the two sets must not meet. In Canvas they stand at the tool, never at a
 * placement: the roster is worked out without one.
 */
export function customParametersFor(family: PlatformFamily): Record<string, string> {
  const everywhere = {
    [customParameter.contextHistory]: "$Context.id.history",
    [customParameter.timeZone]: "$Person.address.timezone",
  };
  switch (family) {
    case "moodle":
      return { ...everywhere, [customParameter.moodleGroups]: "$Moodle.Person.userGroupIds" };
    case "canvas":
      return {
        ...everywhere,
        [customParameter.sectionIds]: "$Canvas.course.sectionIds",
        [customParameter.sectionNames]: "$com.instructure.User.sectionNames",
        [customParameter.sectionSisIds]: "$Canvas.course.sectionSisSourceIds",
        [customParameter.sectionRestricted]: "$Canvas.course.sectionRestricted",
        [customParameter.canvasGroups]: "$Canvas.group.contextIds",
      };
    case "other":
      return { ...everywhere, [customParameter.linkHistory]: "$ResourceLink.id.history" };
  }
}
