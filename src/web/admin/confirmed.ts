import { nameDiffers } from "../../features/privacy/uninstall-registration.ts";

/** What cannot be undone is confirmed by typing what it concerns. @throws NamedError "name-differs" */
export function confirmed(typed: string, wanted: string): void {
  if (typed.trim() !== wanted.trim()) throw nameDiffers();
}
