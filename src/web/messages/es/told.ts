export const told = {
  heading: "A quién conoce el Space",
  hosts: "Anfitriones que conoce el Space: {{names}}.",
  noHosts: "No hemos comunicado al Space quiénes son sus anfitriones.",
  later:
    "Llegaron después: {{names}}. Puede que entren como participantes hasta que alguien los haga anfitriones en el aula; nosotros no podemos.",
  laterAdded: "Llegaron después: {{names}}. Serán anfitriones del Space cuando entren.",
  learners:
    "Estudiantes que hemos comunicado al Space: {{number}}. Solo deja entrar a quienes están en su lista; invite en el aula a quien haya llegado después.",
  failed: "El aula no ha añadido a {{names}} al Space. Lo pediremos de nuevo cuando entren.",
  more: "{{number}} más",
};
