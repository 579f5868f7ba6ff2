export const told = {
  heading: "Wen der Space kennt",
  hosts: "Hosts, die der Space kennt: {{names}}.",
  noHosts: "Wir haben dem Space nicht gesagt, wer seine Hosts sind.",
  later:
    "Später dazugekommen: {{names}}. Sie treten vielleicht als Teilnehmende ein, bis jemand sie im Klassenzimmer zu Hosts macht; wir können das nicht.",
  laterAdded: "Später dazugekommen: {{names}}. Sie werden Hosts des Space, wenn sie eintreten.",
  learners:
    "Lernende, von denen wir dem Space berichtet haben: {{number}}. Er lässt nur Personen auf seiner Liste ein; laden Sie später Dazugekommene im Klassenzimmer ein.",
  failed:
    "Das Klassenzimmer hat {{names}} nicht zum Space hinzugefügt. Wir fragen beim nächsten Eintreten noch einmal.",
  more: "{{number}} weitere",
};
