export const privacy = {
  heading: "Pessoas e dados",
  lead: "O que se guarda sobre alguém pode ser entregue em um arquivo e apagado.",
  search: "Procurar uma pessoa",
  hint: "O id completo no LMS ou na sala de aula, ou o começo de um nome ou do e-mail.",
  noLms: "Nenhum LMS está registrado ainda, portanto ninguém é conhecido.",
  notFound:
    "Ninguém foi encontrado. Os ids são encontrados só por inteiro, e quem foi apagado não é mais conhecido.",
  more: "São mostrados só os primeiros {{number}}. Digite mais para encontrar os outros.",
  person: "Pessoa",
  nameless: "Sem nome",
  email: "E-mail",
  sub: "Id no LMS",
  userId: "Id na sala de aula",
  noUser: "ainda nenhum",
  held: "O que se guarda",
  kind: "Tipo",
  count: "Registros",
  namedOnly:
    "Não se conta onde a pessoa é apenas citada em um registro sobre outras, como em uma correção que fez.",
  kinds: {
    person: "A própria pessoa",
    memberships: "Participação em cursos",
    attendance: "Presença",
    standings: "Sessões que contam para uma nota",
    scores: "Notas e seu envio",
    courseAudit: "Mudanças em cursos",
    feedback: "Opiniões sobre aulas",
    matches: "Associações a usuários da sala de aula",
    places: "Lugares na fila de entrada",
    logins: "Acessos obtidos com antecedência",
    sessionsOfPages: "Sessões de páginas de cursos",
    preparations: "Usuários da sala de aula a criar",
    calendars: "Endereços de calendário",
    unmatched: "Presença não associada",
    presences: "Permanência em Spaces",
    webhooks: "Conteúdos de webhooks",
    courses: "Cursos",
    other: "Outros",
  },
  export: {
    heading: "Entregar os dados",
    person:
      "Um arquivo JSON com tudo o que se guarda sobre esta pessoa. As outras aparecem nele só como “somebody else”.",
    course:
      "Um arquivo JSON com todos os registros deste curso e as pessoas nele. O segundo arquivo traz a presença como tabela.",
    button: "Baixar o arquivo",
    table: "Baixar a presença como tabela (CSV)",
    logged: "Cada download é anotado na auditoria.",
  },
  erase: {
    heading: "Apagar",
    person: "Apagar esta pessoa",
    personText:
      "Tudo o que está acima é apagado, também presença e notas, e o nome é retirado de todo o resto. Não pode ser desfeito.",
    course: "Apagar este curso",
    courseText:
      "Todos os registros deste curso são apagados, também a presença e as notas de todas as pessoas. Não pode ser desfeito.",
    registration: "Desinstalar este LMS",
    registrationText:
      "O LMS é desligado e todos os seus registros são apagados: pessoas, cursos, presença, notas e chaves. Não pode ser desfeito.",
    typeId: "Para confirmar, digite o id no LMS:",
    typeTitle: "Para confirmar, digite o curso:",
    typeName: "Para confirmar, digite o nome do LMS:",
    button: "Apagar definitivamente",
    uninstall: "Desinstalar definitivamente",
  },
  stays: {
    heading: "O que fica em outros lugares",
    person:
      "A sala de aula guarda o seu próprio registro do usuário, e o LMS guarda o seu livro de notas: nenhum dos dois é tocado. Peça lá que sejam apagados.",
    user: "Na sala de aula é o usuário {{id}}.",
    comesBack:
      "Listas de participantes e webhooks atrasados não trazem a pessoa de volta. Se ela mesma abrir a ferramenta, será alguém novo.",
    course:
      "O Space com suas gravações fica na sala de aula; colunas e notas ficam no LMS. O próximo acesso a partir do curso começa com um Space novo.",
    registration:
      "Spaces e usuários ficam na sala de aula; colunas e notas ficam no LMS. A entrada da ferramenta no LMS é retirada por quem o administra.",
  },
  erasures: {
    heading: "O que foi apagado",
    none: "Nada foi apagado ainda.",
    latest: "São mostrados os últimos {{number}}. O que foi apagado por ser antigo não está na lista.",
    what: "O quê",
    state: "Estado",
    asked: "Pedido",
    done: "Terminado",
    kinds: { person: "Uma pessoa", course: "Um curso", registration: "Um LMS" },
    states: {
      erasing: "sendo apagado",
      checking: "apagado, em última verificação",
      cleaning: "apagado, os últimos vestígios estão sendo removidos do arquivo do banco de dados",
      done: "apagado",
    },
    texts: {
      erasing:
        "Está sendo apagado. Você pode sair desta página: continua por si só, também depois de um reinício.",
      checking:
        "Está apagado. Dois minutos depois de cada passagem, verifica-se se algo em andamento escreveu alguma parte de novo.",
      cleaning:
        "Está apagado, e nada foi escrito de novo. O que os registros apagados deixam no arquivo do banco de dados é removido agora; se ele for grande, durante a noite.",
      done: "Está apagado, e no banco de dados não resta nenhum byte.",
    },
    counts: "Apagado ou alterado até agora",
    nothing: "Nada ainda.",
    look: "Olhar de novo",
    back: "Para pessoas e dados",
  },
};
