export const readiness = {
  heading: "Entrada preparada",
  all_one: "A única pessoa deste curso pode entrar na sala de aula de imediato.",
  all_many: "As {{number}} pessoas deste curso podem entrar na sala de aula de imediato.",
  all_other: "As {{number}} pessoas deste curso podem entrar na sala de aula de imediato.",
  some: "{{ready}} de {{expected}} pessoas podem entrar na sala de aula de imediato.",
  preparing_one:
    "{{number}} pessoa ainda está sendo preparada. Não é preciso esperar por isso: quem vier, entra.",
  preparing_many:
    "{{number}} pessoas ainda estão sendo preparadas. Não é preciso esperar por isso: quem vier, entra.",
  preparing_other:
    "{{number}} pessoas ainda estão sendo preparadas. Não é preciso esperar por isso: quem vier, entra.",
  heldUp: "Está parado no momento; haverá nova tentativa automática. {{problem}}",
  refused_one:
    "A sala de aula recusou {{number}} pessoa. Haverá nova tentativa amanhã e quando ela vier. {{problem}}",
  refused_many:
    "A sala de aula recusou {{number}} pessoas. Haverá nova tentativa amanhã e quando elas vierem. {{problem}}",
  refused_other:
    "A sala de aula recusou {{number}} pessoas. Haverá nova tentativa amanhã e quando elas vierem. {{problem}}",
  later_one: "{{number}} pessoa será preparada quando vier.",
  later_many: "{{number}} pessoas serão preparadas quando vierem.",
  later_other: "{{number}} pessoas serão preparadas quando vierem.",
  refresh: "Ver o andamento",
  knownAs: "A sala de aula conhece esta pessoa como “{{name}}”.",
};
