/** Recordings of a course: those that exist, are expected or are published. */
export const recordings = {
  title: "Recordings: {{course}}",
  heading: "Recordings",
  zone: "Times are those of {{zone}}.",
  empty: {
    heading: "No recordings yet",
    teaching:
      "They appear here about an hour after a class that was recorded. Learners see the ones you publish.",
    learning: "When your instructor publishes the recording of a class, it appears here.",
    noSpace:
      "The classroom of this course has not been opened yet. Recordings appear here after the first class.",
  },
  lead: {
    hidden: "Learners see a recording once you publish it.",
    published: "Learners see new recordings as soon as they are ready. You can hide any of them.",
  },
  look: {
    again: "Look again",
    under: "The classroom is being asked. This takes a few seconds.",
    refresh: "Show what has come",
    readAt: "Last asked: {{when}}.",
    never: "The classroom has not been asked for its list yet.",
    notOffered:
      "This classroom has no list of recordings that can be asked for. They appear here when it reports them.",
    problem: "The classroom's list could not be read: {{problem}} What is shown may be out of date.",
    unplaced_one:
      "The classroom lists {{count}} recording without saying of which Space it is. It appears here once the classroom reports it.",
    unplaced_other:
      "The classroom lists {{count}} recordings without saying of which Space they are. They appear here once the classroom reports them.",
  },
  untitled: "Recording of {{when}}",
  sessionUntitled: "Session of {{when}}",
  noSession: "Not in a planned session",
  several: "Several sessions are possible: {{sessions}}. Say below which one it is.",
  severalForLearners: "Of one of these sessions: {{sessions}}",
  forSections: "For {{sections}}",
  minutes_one: "{{count}} minute",
  minutes_other: "{{count}} minutes",
  made: "Recorded {{when}}",
  state: {
    processing: "Being processed",
    ready: "Ready",
    "transcript-ready": "Ready, with transcript and summary",
    "transcript-only": "Transcript ready; the recording is still being processed",
    unavailable: "Recording unavailable: the classroom does not have it any more",
  },
  awaited: {
    awaited: "The class has ended. If it was recorded, the recording appears here within about an hour.",
    "given-up": "No recording has come. Most likely this class was not recorded.",
    ended: "Ended {{when}}",
  },
  shown: {
    published: "Published: learners see it",
    hidden: "Hidden from learners",
    undecided: "Not published yet",
  },
  open: {
    recording: "Watch",
    transcript: "Transcript",
    summary: "Summary",
    recordingNamed: "Watch {{title}}, opens in a new tab",
    transcriptNamed: "Transcript of {{title}}, opens in a new tab",
    summaryNamed: "Summary of {{title}}, opens in a new tab",
    noAddress: "The classroom does not tell its address: open it in the Space.",
    noTranscriptAddress:
      "The transcript and the summary are in the Space: the classroom does not tell their address.",
  },
  publish: "Publish",
  publishNamed: "Publish {{title}}",
  hide: "Hide",
  hideNamed: "Hide {{title}} from learners",
  describe: {
    open: "Title and session",
    openNamed: "Title and session of {{title}}",
    title: "Title",
    titleHint: "Leave it empty for the classroom's own.",
    session: "Session",
    byTime: "By its time",
    none: "No planned session",
    save: "Save title and session",
  },
  rule: {
    heading: "New recordings",
    hidden: "Learners see them once an instructor publishes them",
    published: "Learners see them as soon as they are ready",
    hint: "This is about recordings that come from now on. Those that are here stay as they are. A recording of a session for some sections is seen by these sections only.",
    save: "Save",
  },
  notice: {
    published: "Published. Learners see it now.",
    hidden: "Hidden. Learners do not see it any more.",
    described: "Title and session are saved.",
    rule: "Saved. It holds for recordings that come from now on.",
    conflict:
      "Somebody else has changed this since you opened the page. This is how it stands now; nothing of yours was saved.",
    unknown: "This recording or session is not the course's any more. Nothing was saved.",
  },
  page: "Page {{page}} of {{pages}}",
  pages: "Pages of recordings",
  newer: "Newer",
  older: "Older",
  leaving: {
    title: "This recording is kept elsewhere",
    text: "The classroom keeps this recording at {{origin}}, which is not one of the classroom's known addresses. Open it only if you trust that place.",
    go: "Open it at {{origin}}",
    back: "Back to the recordings",
  },
};
