export const browser = {
  opening: "Abrindo a sala de aula",
  moment: "Um momento, por favor.",
  elsewhere: {
    heading: "Abra a sala de aula em uma nova janela",
    lead: "Dentro desta página, seu navegador não guarda nada para a sala de aula, que por isso não conseguiria reconhecer você. Em uma janela própria, consegue.",
    button: "Abrir em nova janela",
    opened:
      "A sala de aula abriu em uma nova janela. Você pode voltar aqui e abri-la de novo a qualquer momento.",
    fetch:
      "Se você escolheu conteúdo naquela janela, esta página o recebe sozinha. Se isso não acontecer, continue aqui.",
    fetchButton: "Continuar aqui",
  },
  byHand: {
    lead: "Esta página avança sozinha onde scripts são permitidos. Seu navegador não os permite; escolha como continuar.",
    onward: "Continuar aqui",
    posted:
      "Seu navegador não executa scripts nesta página e, sem eles, a sala de aula não consegue reconhecer você.",
  },
  lost: {
    heading: "Não foi possível reconhecer seu navegador",
    lead: "Seu navegador não guardou o que protege este acesso contra outras pessoas. Volte ao curso e abra o link em uma nova janela, ou permita cookies para a sala de aula, e tente de novo.",
  },
  admin: {
    summary: "Para administradores: como abrir sem esta página",
    window: "Configure o LMS para abrir a ferramenta em uma nova janela:",
    moodle: "Moodle: nas configurações da ferramenta, escolha “Nova janela” como container de inicialização.",
    canvas: "Canvas: dê ao placement o valor “windowTarget”: “_blank”.",
    cookies:
      "Ou deixe os navegadores guardarem os cookies de {{host}} dentro do seu LMS: cookies particionados ou de terceiros não podem estar bloqueados para esse endereço.",
  },
  reloaded:
    "Esta página não pode ser recarregada pelo endereço. Abra a sala de aula pelo link no seu curso; nada se perdeu.",
};
