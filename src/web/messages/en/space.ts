/** The page around a Space that is shown inside the LMS. */
export const space = {
  title: "{{course}}: online classroom",
  frame: "Classroom of {{course}}",
  again: "Entering the classroom again",
  tab: "Open in a new tab",
  hide: "Hide",
  full: { enter: "Full screen", leave: "Leave full screen" },
  /** On the page with the button, when the classroom is to be shown inside the LMS. */
  enter: {
    lead: "It opens here, inside this page.",
    why: {
      insecure:
        "This page was not opened over a secure connection (https), and browsers give camera and microphone to secure pages only. The classroom opens in a new tab instead; tell your administrator.",
      microphone:
        "Your LMS does not give this page the microphone, so the classroom opens in a new tab instead.",
      camera: "Your LMS does not give this page the camera, so the classroom opens in a new tab instead.",
      both: "Your LMS does not give this page the camera and the microphone, so the classroom opens in a new tab instead.",
    },
  },
  signs: {
    label: "What the classroom tells",
    opening: "The classroom is opening …",
    people: "People: {{number}}",
    recording: "Recording",
    recordingStarted: "The classroom is being recorded.",
    recordingStopped: "The recording has stopped.",
    hand: "Hand raised",
    steady: "Your connection is stable again.",
    unshared: "To share your screen, open a new tab.",
  },
  good: { microphone: "Your microphone works again.", camera: "Your camera works again." },
  notices: {
    tablet: "On phones and tablets, the classroom opens in a new tab.",
    insecure:
      "This page was not opened over a secure connection (https). The classroom may stay blank, and camera and microphone will not work. Tell your administrator.",
    silent:
      "The classroom has not said that it is open. If it says that you are in a waiting room, a host will let you in; if it says that it is private, ask your instructor to invite you. If it stays blank, your browser may block what it stores inside other pages: open it in a new tab.",
    connection:
      "Your connection is unstable. Others may not hear or see you well; turning your camera off, or moving closer to your Wi-Fi, helps.",
    performance:
      "Your device is working at its limit. Close other programs and tabs, or turn your camera off.",
    microphone: {
      PERMISSION_DENIED:
        "Your browser does not let the classroom use your microphone. Allow it at the left of the address bar, then join the call again. If there is nothing to allow, open the classroom in a new tab.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Your device does not let the browser use the microphone. Allow the browser to use it in the system's privacy settings, then join the call again.",
      NOT_FOUND: "No microphone was found. Plug one in or switch it on, then choose it in the classroom.",
      NO_INPUT_DETECTED:
        "Your microphone is on, but nothing is heard from it. Check that it is not muted, and that the right one is chosen.",
      GET_USER_MEDIA_TIMEOUT:
        "Your microphone does not answer. Close other programs that use it, plug it in again, then join the call again.",
      DEFAULT_ERROR:
        "Your microphone does not work. Close other programs that use it, check that it is plugged in, then join the call again.",
    },
    camera: {
      PERMISSION_DENIED:
        "Your browser does not let the classroom use your camera. Allow it at the left of the address bar, then join the call again. If there is nothing to allow, open the classroom in a new tab.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Your device does not let the browser use the camera. Allow the browser to use it in the system's privacy settings, then join the call again.",
      NOT_FOUND: "No camera was found. Plug one in or switch it on, then choose it in the classroom.",
      NO_INPUT_DETECTED:
        "Your camera is on, but there is no picture from it. Check its cover and its switch, and that the right one is chosen.",
      GET_USER_MEDIA_TIMEOUT:
        "Your camera does not answer. Close other programs that use it, plug it in again, then join the call again.",
      DEFAULT_ERROR:
        "Your camera does not work. Close other programs that use it, check that it is plugged in, then join the call again.",
    },
  },
  endings: {
    left: "You have left the call.",
    "ended-by-other": "The call has been ended.",
    "ended-by-me": "You have ended the call for everybody.",
  },
  end: {
    seconds: "This page closes in {{number}} s.",
    waits: "This page stays open while you are active in the classroom.",
    now: "Go on",
    stay: "Stay here",
  },
  elsewhere: {
    lead: "The classroom has opened in a new tab.",
    back: "Show it here again",
  },
};
