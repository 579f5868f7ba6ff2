/** The end of a session of course pages, as its person asked for it. */
export const signOut = {
  button: "Sign out",
  title: "Signed out - {{course}}",
  heading: "You have signed out",
  what: "This page and all pages that you opened from it are closed.",
  everywhere: "All your pages of this course are closed, in every browser.",
  back: "To come back, open the classroom link in your course.",
  others_one: "You opened this classroom once more and are still signed in there.",
  others_other: "You opened this classroom {{number}} more times and are still signed in there.",
  endOthers: "Sign out there, too",
};
