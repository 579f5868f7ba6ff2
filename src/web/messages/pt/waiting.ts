export const waiting = {
  heading: "Você está na fila da sala de aula",
  lead: "As pessoas entram uma após a outra. Sua entrada será automática; não é preciso fazer nada.",
  keepOpen:
    "Mantenha esta página aberta. Você pode ver outras páginas enquanto isso: seu lugar está guardado, e esta aba avisa quando chegar sua vez.",
  next: "Você é a próxima pessoa.",
  before_one: "{{number}} pessoa à sua frente.",
  before_many: "{{number}} pessoas à sua frente.",
  before_other: "{{number}} pessoas à sua frente.",
  time: {
    moment: "Faltam poucos segundos.",
    seconds: "Faltam cerca de {{seconds}} segundos.",
    underMinute: "Falta menos de um minuto.",
    minute: "Falta cerca de um minuto.",
    minutes: "Faltam cerca de {{minutes}} minutos.",
  },
  trouble: "A sala de aula não responde no momento. Continuamos tentando, e seu lugar está guardado.",
  ready: "Chegou sua vez. A sala de aula está abrindo.",
  offline: "A conexão caiu. Continuamos tentando; verifique sua internet.",
  progress: "Progresso na fila",
  titles: {
    next: "Você é a próxima pessoa - {{course}}",
    before: "{{number}} à sua frente - {{course}}",
    trouble: "Aguarde - {{course}}",
    ready: "Entrando em {{course}}",
  },
  byHand: {
    refreshed: "Esta página se atualiza sozinha a cada poucos segundos.",
    press: "Pressione o botão para ver se é a sua vez.",
    look: "Ver agora",
  },
  elsewhere: {
    heading: "Este lugar na fila pertence a outro navegador",
    what: "Só o navegador em que o link da sala foi aberto pode esperar aqui e entrar. Para entrar, abra o link da sala no seu curso; quem tem um lugar na fila o mantém.",
    cookies:
      "Se este é esse navegador, ele não guardou nenhum cookie nosso: permita cookies para este site, ou abra de novo o link da sala no seu curso e deixe a página aberta.",
  },
  over: {
    entered: {
      heading: "Você já entrou",
      what: "Esta página já deu acesso à sala de aula uma vez. Para entrar de novo, abra o link da sala no seu curso; depois, pode fechar esta página.",
    },
    gone: {
      heading: "Esta página não tem mais lugar na fila",
      what: "Se você abriu a sala de aula de novo, a aba mais recente tem seu lugar: vá para ela. Se você se ausentou por muito tempo, abra de novo o link da sala no seu curso.",
    },
  },
};
