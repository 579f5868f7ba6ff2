export const door = {
  title: "{{course}}: sala de aula online",
  early: {
    heading: "A sala de aula ainda não está aberta",
    opens: "Abre:",
    opensAt: "Abre às",
    lead: "Esta página avança sozinha quando a sala abrir; pode deixá-la aberta.",
    leadLong: "Volte nesse horário pelo link no seu curso.",
    now: "A sala de aula está aberta.",
    button: "Entrar na sala de aula",
    units: { days: "d", hours: "h", minutes: "min", seconds: "s" },
    left: "Abre em",
  },
  over: {
    heading: "Esta sessão já terminou",
    lead: "Este link era de uma única sessão, que já terminou. Seu curso pode ter um link para a próxima.",
  },
  cancelled: {
    heading: "Esta sessão foi cancelada",
    lead: "Este link era de uma única sessão, que foi cancelada. Pergunte ao seu professor ou à sua professora quando será a próxima.",
  },
  deleted: {
    heading: "Esta sessão foi excluída",
    lead: "Este link era de uma única sessão, que não existe mais. Pergunte ao seu professor ou à sua professora quando será a próxima.",
  },
  otherSections: {
    heading: "Esta sala de aula é para outros grupos",
    lead: "Ela foi aberta apenas para:",
    own: "Na plataforma de ensino, você está em: {{sections}}.",
    none: "Na plataforma de ensino, você ainda não está em nenhum grupo.",
    yours:
      "Se você faz parte de um deles, peça ao seu professor ou à sua professora que inclua você na plataforma de ensino e depois abra de novo o link no seu curso.",
  },
  notSetUp: {
    heading: "A sala de aula ainda não está pronta",
    lead: "Ela ainda não foi totalmente ligada ao seu curso, por isso ninguém consegue entrar. Avise seu professor ou sua professora, que pode falar com a administração da plataforma de ensino. Você não fez nada de errado.",
  },
  again: "Ver de novo",
  access: {
    "waiting-room":
      "Esta sala de aula tem uma sala de espera: um anfitrião vai deixar você entrar. Fique na página até lá.",
    "invited-only":
      "Só pode entrar quem está na lista de convidados desta sala de aula. Se você não conseguir entrar, peça ao seu professor ou à sua professora que inclua você.",
  },
};
