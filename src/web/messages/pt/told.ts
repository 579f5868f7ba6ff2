export const told = {
  heading: "Quem o Space conhece",
  hosts: "Anfitriões que o Space conhece: {{names}}.",
  noHosts: "Não dissemos ao Space quem são os anfitriões dele.",
  later:
    "Chegaram depois: {{names}}. Talvez entrem como participantes até que alguém os torne anfitriões na sala de aula; nós não podemos.",
  laterAdded: "Chegaram depois: {{names}}. Serão anfitriões do Space quando entrarem.",
  learners:
    "Estudantes que informamos ao Space: {{number}}. Ele só deixa entrar quem está na lista; convide na sala de aula quem chegou depois.",
  failed: "A sala de aula não adicionou {{names}} ao Space. Pediremos de novo quando entrarem.",
  more: "mais {{number}}",
};
