export const institution = {
  heading: "Padrões para os cursos de {{name}}",
  open: "Padrões para os cursos",
  openLead: "Com que os cursos deste LMS começam e o que os docentes não podem mudar.",
  back: "Voltar ao LMS",
  lead: "Para cada valor, você pode não definir nada, definir um padrão ou um bloqueio.",
  means: {
    default:
      "Um padrão é aquilo com que os cursos novos começam e o que os docentes recebem ao restaurar suas configurações. Os cursos que já existem mantêm o que têm.",
    locked_one:
      "Um bloqueio vale de imediato em todos os cursos, inclusive nos que já existem, e acima do que for escolhido para links específicos. Os docentes veem o valor e não podem mudá-lo. Quando você retira o bloqueio, cada curso volta a ter o próprio valor.",
    locked_many:
      "Um bloqueio vale de imediato em todos os cursos, inclusive nos {{count}} que já existem, e acima do que for escolhido para links específicos. Os docentes veem o valor e não podem mudá-lo. Quando você retira o bloqueio, cada curso volta a ter o próprio valor.",
    locked_other:
      "Um bloqueio vale de imediato em todos os cursos, inclusive nos {{count}} que já existem, e acima do que for escolhido para links específicos. Os docentes veem o valor e não podem mudá-lo. Quando você retira o bloqueio, cada curso volta a ter o próprio valor.",
    grades:
      "Quando você bloqueia algo sobre notas, as notas de todos os cursos são recalculadas e enviadas aos livros de notas. Notas alteradas lá à mão por docentes não são tocadas, onde o LMS as informa.",
  },
  states: {
    unset: "Não definido",
    default: "Padrão: docentes podem mudar",
    locked: "Bloqueado: docentes não podem mudar",
  },
  stateOf: "{{rule}}: como está definido",
  value: "Valor",
  groups: {
    entering: "Como as pessoas entram",
    space: "Como os Spaces são criados",
    door: "Quando os estudantes podem entrar",
    grades: "Como a nota é calculada",
  },
  rules: {
    mode: "Onde a sala de aula abre",
    call: "A chamada começa sozinha",
    skipDeviceSetup: "Pular o teste de câmera e microfone",
    galleryView: "Começar na visão de galeria",
    standalone: "Ocultar as saídas da sala de aula",
    language: "Idioma da sala de aula",
    startLocalRecording: "A gravação começa com a chamada",
    newSpace: "Acesso e sala de espera de novos Spaces",
    doorTimes: "A sala de aula fica aberta",
    kind: "Notas no livro de notas",
    points: "Pontuação máxima",
    credit: "Quanto vale uma sessão",
    denominator: "Dividir por",
    dropLowest: "Piores sessões que não contam",
    minimumSessions: "Nota a partir de quantas sessões",
    comment: "Explicação no livro de notas",
  },
  spaces: {
    label: "Quais Spaces os cursos podem usar",
    approved: "Os próprios e outros aprovados",
    own: "Só Spaces criados para cursos deste LMS",
    hint: "Com “Só”, outros Spaces não são vinculados nem abertos, mesmo aprovados, e ninguém pode solicitá-los. Nada é apagado: permitidos de novo, ficam como antes.",
  },
  staff: {
    heading: "Equipe que não ensina",
    lead: "Designers de curso e outras pessoas que a plataforma de ensino não chama nem de professor nem de aluno podem organizar um curso: configurações, sessões, pessoas e gravações. Você decide se também veem e alteram a presença e as notas; vale imediatamente em todos os cursos.",
    roles: {
      developer: "Designer de curso (ContentDeveloper)",
      administrator: "Administrador de um curso",
      manager: "Gestor de um curso",
    },
    levels: {
      arrange: "Organizar o curso; sem presença nem notas",
      teach: "Tudo o que os professores podem",
    },
  },
  save: "Salvar",
  saved: "Salvo. Os bloqueios valem a partir de agora; as notas que dependem deles estão sendo recalculadas.",
  late: "Outra pessoa alterou estes valores enquanto isso; por isso nada seu foi salvo. O que você digitou está mantido abaixo; salve de novo para substituir os valores da outra pessoa. O que está diferente agora:",
};
