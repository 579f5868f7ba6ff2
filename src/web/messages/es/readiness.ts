/** Who can enter the classroom at once: people are prepared before they come. */
export const readiness = {
  heading: "Quién puede entrar ya",
  all_one: "La única persona de este curso puede entrar al aula de inmediato.",
  all_many: "Las {{number}} de personas de este curso pueden entrar al aula de inmediato.",
  all_other: "Las {{number}} personas de este curso pueden entrar al aula de inmediato.",
  some: "{{ready}} de {{expected}} personas pueden entrar al aula de inmediato.",
  preparing_one: "{{number}} persona aún se está preparando. No hace falta esperar: quien llega, entra.",
  preparing_many:
    "{{number}} de personas aún se están preparando. No hace falta esperar: quien llega, entra.",
  preparing_other: "{{number}} personas aún se están preparando. No hace falta esperar: quien llega, entra.",
  heldUp: "En este momento está detenido y se vuelve a intentar automáticamente. {{problem}}",
  refused_one:
    "El aula rechazó a {{number}} persona. Se vuelve a intentar mañana y cuando llegue. {{problem}}",
  refused_many:
    "El aula rechazó a {{number}} de personas. Se vuelve a intentar mañana y cuando lleguen. {{problem}}",
  refused_other:
    "El aula rechazó a {{number}} personas. Se vuelve a intentar mañana y cuando lleguen. {{problem}}",
  later_one: "{{number}} persona se prepara cuando llegue.",
  later_many: "{{number}} de personas se preparan cuando lleguen.",
  later_other: "{{number}} personas se preparan cuando lleguen.",
  refresh: "Ver el avance",
  knownAs: "El aula conoce a esta persona como «{{name}}».",
};
