export const trouble = {
  "classroom-address-taken":
    "A sala de aula recusou um segundo usuário para esta pessoa, talvez porque aceite cada endereço de e-mail uma só vez. Avise quem cuida desta ferramenta; tenta-se de novo na próxima entrada.",
  "classroom-busy": "A sala de aula pediu que a gente vá mais devagar. Tente de novo em um minuto.",
  "classroom-key-unusable":
    "A chave de API da sala de aula não pode ser usada. Avise quem cuida desta ferramenta.",
  "classroom-login-elsewhere":
    "A sala de aula quer enviar as pessoas a um endereço que não é dela. Avise quem cuida desta ferramenta.",
  "classroom-page-elsewhere":
    "A página seguinte de uma lista não está no servidor da sala de aula e por isso não foi pedida. Avise quem cuida desta ferramenta.",
  "classroom-refused":
    "A sala de aula recusou o pedido. Quem cuida desta ferramenta encontra os detalhes no log.",
  "classroom-reply-unreadable":
    "Não é possível ler a resposta da sala de aula. Avise quem cuida desta ferramenta.",
  "classroom-unauthorized":
    "A sala de aula não aceitou a chave de API desta ferramenta. Avise quem cuida dela.",
  "classroom-unreachable": "A sala de aula não respondeu. Tente de novo em um minuto.",
  "classroom-wants-email":
    "Ao que parece, a sala não aceita ninguém sem endereço de e-mail, e o LMS não indica o desta pessoa. Quem gere esta ferramenta pode fazer com que o LMS indique os endereços ou definir um substituto.",
  "classroom-user-shared":
    "A sala de aula não distingue se esta pessoa entra como anfitriã ou como participante. Avise quem cuida desta ferramenta.",
  "environment-off": "Este ambiente da sala de aula não está configurado. Avise quem cuida desta ferramenta.",
  "outcome-unknown": "A sala de aula não respondeu como devia, e não se sabe se o pedido teve efeito.",
  "throttle-store-unreachable":
    "O banco de dados desta ferramenta está fora de alcance, por isso a sala de aula não foi consultada.",
  unexpected: "Algo deu errado do nosso lado.",
};
