/** What people in courses are told when something is refused, by the code of the error; in English word for word what the error says. */
export const errors = {
  "alert-unknown": "This alert is not one of the course's any more.",
  "anonymous-launch":
    "Your LMS did not say who you are, so the classroom cannot let you in. Log in to your LMS as yourself and open the link again; if that does not help, ask your administrator to share user ids with this tool.",
  "attempts-exhausted": "The assignment allows no further attempts in Canvas.",
  "bad-request": "The request could not be understood. Go back and try again.",
  "browser-unknown":
    "Your browser did not keep the cookie that protects this launch. Open the link in a new window, or allow cookies for the classroom, and try again.",
  "claim-lost": "The columns are being made by another process.",
  "client-id-missing":
    "Several registrations exist for this LMS and it did not say which one is meant. Ask your administrator to set the client id of the tool.",
  "cohort-deleted": "This cohort was deleted in the classroom. Choose another one.",
  "cohort-unknown": "This cohort is not known here. Choose one from the list.",
  "course-gone":
    "The LMS does not know this course's gradebook any more: the course has ended or was removed. If it is opened again, grades are sent again by themselves within a day.",
  "not-applicable":
    "In Canvas this assignment is not for this person: it is assigned to others only. Assign it to everybody, then send the grade again.",
  "being-moderated":
    "The assignment is being moderated in Canvas and takes no grades until its grades are released there. Then send the grade again.",
  "column-unpublished": "The assignment is not published in Canvas. Publish it, then send the grade again.",
  "corrections-not-allowed":
    "Your role in this course does not include changing attendance or how grades come about. Ask a teacher of the course, or have your administrator allow it for your role.",
  "course-concluded": "The course has ended in Canvas, so its gradebook takes no more grades.",
  "course-unknown": "This course is not known any more.",
  "deployment-refused":
    "The tool was installed in a place your administrator has not allowed yet. Ask your administrator to accept it in the classroom's console.",
  "dialog-over": "This dialog was open for too long. Close it, and choose the content in your LMS again.",
  "door-closed":
    "The classroom is not open for you at the moment. Open the link in your course again to see when it opens.",
  "entry-unknown": "This course is not known any more. Open the link in your LMS again.",
  "feedback-empty": "Choose or write something first, or just close this page.",
  "feedback-not-taken":
    "Your answer could not be kept: this class does not take answers from here. There is nothing you need to do.",
  "feedback-too-often":
    "Too many answers have come from here. Wait ten minutes and send yours again, or just close this page.",
  "foreign-form":
    "This form was not sent from a page of the classroom, so nothing was changed. Open the classroom link in your course again and repeat what you wanted to do.",
  "grade-locked":
    "The column or this grade is locked in Moodle's gradebook. Unlock it there, then send the grade again.",
  "grades-not-allowed":
    "Your role in this course does not include seeing attendance and grades. Ask a teacher of the course, or have your administrator allow it for your role.",
  "grading-period-closed":
    "The grading period of this column is closed in Canvas, so it takes no more grades. An administrator can open it again.",
  "instructors-only": "Only instructors of this course can do this.",
  "invitation-expired":
    "This registration address has expired. Ask whoever runs the classroom tool for a new one.",
  "invitation-missing":
    "This address lacks its invitation. Ask whoever runs the classroom tool for a registration address and paste it whole.",
  "invitation-used":
    "An LMS was registered with this address already, and it works once only. Ask for a new one to register another LMS.",
  "launch-expired": "This launch is too old or was used already. Open the link in your course again.",
  "launch-incomplete":
    "Your LMS left out something a launch must say. Ask your administrator to check the tool's settings.",
  "launches-many":
    "Very many people are opening the classroom at this moment. Wait half a minute and open the link in your course again.",
  "launch-used": "This launch was used already. Open the link in your course again.",
  "launch-without-course": "This link was opened outside a course. Open it from a course page instead.",
  "learner-unknown": "This person has never been in this course.",
  "line-item-elsewhere":
    "The LMS gives the grade column an address on another host than its list of columns, so no grade is sent there. Ask your administrator to have the LMS use one address for itself (where it stands behind a proxy, the one that browsers see). Nothing is lost: grades are then sent by themselves.",
  "link-unknown": "This page belongs to no link of your course. Open the link in your course again.",
  "lms-busy": "The LMS asked us to wait.",
  "lms-closed": "The LMS is closed at the moment, most likely for maintenance. We look again by ourselves.",
  "lms-failed": "The LMS failed.",
  "lms-key-refused":
    "The LMS does not accept the tool's key at the moment. We try again by ourselves; nothing is lost. If it goes on, ask your administrator whether the tool is switched on in the LMS, whether the LMS can read the tool's key set, and whether the clocks are right.",
  "lms-list-broken": "The LMS's pages of a list lead in a circle or to another host, or do not end.",
  "lms-moved":
    "The LMS redirects to another address. It may be under maintenance; if it moved, its address must be changed in the tool's registration.",
  "lms-not-allowed":
    "The LMS does not let the tool do this. Ask your administrator to allow this service for the tool.",
  "lms-not-found": "The LMS does not know any more what it was asked for.",
  "lms-refused": "The LMS refused what it was asked for.",
  "lms-reply-unreadable": "The LMS answered with something that cannot be read.",
  "lms-token-refused":
    "The LMS refused an access token. Ask your administrator whether the tool is active, whether it may use these services, and whether the tool's key set address is right.",
  "lms-token-unavailable": "The LMS gives no access token at the moment.",
  "lms-unreachable": "The LMS did not answer.",
  "login-incomplete":
    "Your LMS left out something it must send when a link is opened. Ask your administrator to check the tool's settings.",
  "members-only": "Only people of this course can see its sessions.",
  "message-unsupported":
    "The classroom does not know this kind of link. Ask your instructor to add it again as an external tool.",
  "no-grade-service":
    "The LMS does not let this tool write grades in this course. Ask your administrator to allow grade synchronisation and column management for the tool, then open the course link once.",
  "no-grades": "This course gives no grades.",
  "no-return-address": "Your LMS gave no address to go back to. Close this dialog there.",
  "nonce-used": "This launch was used already. Open the link in your course again.",
  "not-a-launch": "This address is opened by your LMS. Open the classroom from the link in your course.",
  "not-gradable":
    "The LMS does not accept a grade for this person: they are not an active student of the course (any more), or are a teacher in it, or the course is not published.",
  "not-in-course":
    "Your LMS says that you are not in this course any more. If you are, open the link in your LMS again.",
  "over-maximum":
    "The LMS takes no grade above the column's maximum. Let the rule for the grade give no more than that, or allow extra credit for the column.",
  "person-unknown": "This person is not known any more.",
  "platform-inactive": "This LMS is switched off in the classroom tool. Ask your administrator.",
  "platform-keys-unreachable":
    "Your LMS does not answer with its keys at the moment. Wait a minute and open the link again.",
  "platform-launch-expired":
    "Your LMS says this launch is no longer valid. Reload the course page and open the link again.",
  "platform-login-hidden":
    "Your LMS says you are not logged in. Your browser may hide your login from a page inside another page: open the link in a new window. If that does not help, log in to your LMS and open the link again.",
  "platform-login-required":
    "Your LMS says you are not logged in. Log in to your LMS and open the link again.",
  "platform-refused":
    "Your LMS refused to open the classroom. Try again; if it happens again, tell your administrator.",
  "platform-unknown":
    "This LMS is not registered with the classroom tool. Ask your administrator to register it.",
  "recording-unavailable":
    "The classroom does not tell where this recording is. Enter the Space and look for it there.",
  "recording-unknown": "This recording is not one of the course's any more. Go back to the recordings.",
  "registration-unknown": "This LMS is not registered any more.",
  "request-malformed":
    "The request is not one an LMS sends. Open the classroom from the link in your course.",
  "review-of-somebody-else":
    "You can see your own attendance only. Open the classroom from the link in your course.",
  "roster-empty":
    "The LMS sent an empty list of people, so nothing was changed. Ask your administrator whether the tool may see who is in the course.",
  "roster-given-up":
    "The list could not be read in many attempts. Read it again; if that does not help, tell whoever runs this tool.",
  "scope-not-granted":
    "The LMS did not give the tool the right to do this in the gradebook. Ask your administrator to allow grade synchronisation and column management for the tool, then open the course link once.",
  "section-linked-already":
    "Somebody has linked this section to another cohort meanwhile. Look at the page again; unlink that one first if it is wrong.",
  "session-changed-meanwhile":
    "Somebody else is changing this session. Open it again and look at it as it is now.",
  "signed-out": "You have signed out. To come back, open the classroom link in your course again.",
  "role-changed":
    "Your LMS says that your role in this course has changed. Open the link in your course again.",
  "launch-again":
    "Your LMS has to say once more what you may do in this course. Open the link in your course again.",
  "ended-by-administrator":
    "An administrator has signed you out. To come back, open the classroom link in your course again.",
  "too-many-sessions":
    "You have opened the classroom too often at once, so the oldest pages were closed. Open the classroom link in your course again.",
  "session-over": "This page is too old. Go back to your course and open the classroom link again.",
  "set-by-institution":
    "Your institution has set one of these values for all its courses, so it cannot be changed here. Open the page again and change the others.",
  "space-elsewhere":
    "The classroom has put this course's Space at an address to which this tool sends nobody. The Space is kept, and opens as soon as whoever runs this tool has settled its address; nothing else has to be done in the course.",
  "space-id-unusable": "This Space has no usable id. Choose the course's Space again.",
  "space-id-taken":
    "The classroom service gave a new Space the id of one that was there before. Nobody was let in; tell whoever runs the classroom service.",
  "own-spaces-only":
    "Your institution lets courses use only Spaces that were made for its courses; ask an administrator of your LMS if your course needs another one.",
  "space-needs-approval":
    "This Space was not made for your course, so it must be approved before your course can use it. Your request is noted; an administrator of your LMS or the operator of this tool decides.",
  "space-list-refused":
    "This course's Space lets in only people on its list, and the classroom service did not put you on it. Ask your instructor to invite you in the classroom, or try again later.",
  "space-not-approved":
    "The Space that is set here is not approved for this course, or was closed. An instructor can choose another one under Settings, Space.",
  "space-not-own":
    "Your institution lets courses use only Spaces that were made for its courses, and the one that is set here was not. An instructor can give the course its own Space under Settings, Space; an administrator of your LMS can say more.",
  "space-requests-full":
    "So many requests of this course wait for an answer that no more are taken. Ask an administrator of your LMS to answer them.",
  "still-being-made": "This is still being prepared. Please try again in a minute.",
  "storage-busy": "Another process is holding the database: try again.",
  "storage-full": "The disk of the database folder is full: free some space.",
  "survey-over":
    "This page is too old to be answered. Nothing was kept, and there is nothing you need to do.",
  "target-changed": "The link changed while it was being opened. Open it in your course again.",
  "target-foreign":
    "This link leads to another address than the classroom tool. Ask your instructor to add the link again.",
  "token-algorithm":
    "Your LMS signed the launch in a way that is not safe to accept. Ask your administrator to choose RS256.",
  "token-audience": "The launch was meant for another tool. Ask your administrator to check the client id.",
  "token-expired": "This launch has expired. Open the link in your course again.",
  "token-issuer":
    "The launch names another LMS than the one it started from. Open the link in your course again.",
  "token-key-unknown":
    "The launch was signed with a key your LMS does not publish. Ask your administrator to check the tool's key set address.",
  "token-malformed":
    "Your LMS sent a message that cannot be read. Open the link again; if it happens again, tell your administrator.",
  "token-nonce": "This launch does not answer the request that was made. Open the link in your course again.",
  "token-signature": "The launch was not signed by your LMS. Open the link in your course again.",
  "token-times":
    "The times in this launch do not fit the present time. Open the link again; if it happens again, the clock of your LMS may be wrong.",
  "too-many-requests": "Too much was asked from your network in a short time. Wait a moment and try again.",
  "user-matched-already":
    "This classroom user is somebody here already. Open the list again to see how it stands now.",
};
