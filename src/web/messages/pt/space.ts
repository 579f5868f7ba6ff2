export const space = {
  title: "{{course}}: sala de aula online",
  frame: "Sala de aula de {{course}}",
  again: "Entrando de novo na sala de aula",
  tab: "Abrir em nova aba",
  hide: "Ocultar",
  full: { enter: "Tela cheia", leave: "Sair da tela cheia" },
  enter: {
    lead: "Ela abre aqui, dentro desta página.",
    why: {
      insecure:
        "Esta página não foi aberta por uma conexão segura (https), e os navegadores só liberam câmera e microfone em páginas seguras. A sala de aula abre em uma nova aba; avise a administração.",
      microphone:
        "A plataforma de ensino não dá a esta página acesso ao microfone, por isso a sala de aula abre em uma nova aba.",
      camera:
        "A plataforma de ensino não dá a esta página acesso à câmera, por isso a sala de aula abre em uma nova aba.",
      both: "A plataforma de ensino não dá a esta página acesso à câmera e ao microfone, por isso a sala de aula abre em uma nova aba.",
    },
  },
  signs: {
    label: "Avisos da sala de aula",
    opening: "A sala de aula está abrindo…",
    people: "Pessoas: {{number}}",
    recording: "Gravando",
    recordingStarted: "A sala de aula está sendo gravada.",
    recordingStopped: "A gravação parou.",
    hand: "Mão levantada",
    steady: "Sua conexão voltou a ficar estável.",
    unshared: "Para compartilhar a tela, abra uma nova aba.",
  },
  good: {
    microphone: "Seu microfone voltou a funcionar.",
    camera: "Sua câmera voltou a funcionar.",
  },
  notices: {
    tablet: "Em celulares e tablets, a sala de aula abre em uma nova aba.",
    insecure:
      "Esta página não foi aberta por uma conexão segura (https). A sala de aula pode ficar em branco, e câmera e microfone não vão funcionar. Avise a administração.",
    silent:
      "A sala de aula não confirmou que abriu. Se ela disser que você está em uma sala de espera, um anfitrião vai deixar você entrar; se disser que é privada, peça um convite ao seu professor ou à sua professora. Se continuar em branco, seu navegador pode estar bloqueando o que ela guarda dentro de outras páginas: abra-a em uma nova aba.",
    connection:
      "Sua conexão está instável. Talvez os outros não ouçam ou vejam você bem; desligar a câmera ou chegar mais perto do Wi-Fi ajuda.",
    performance: "Seu dispositivo está no limite. Feche outros programas e abas, ou desligue a câmera.",
    microphone: {
      PERMISSION_DENIED:
        "Seu navegador não deixa a sala de aula usar o microfone. Permita o uso à esquerda da barra de endereço e entre de novo na chamada. Se não houver o que permitir, abra a sala de aula em uma nova aba.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Seu dispositivo não deixa o navegador usar o microfone. Permita o uso nas configurações de privacidade do sistema e entre de novo na chamada.",
      NOT_FOUND: "Nenhum microfone foi encontrado. Conecte ou ligue um e depois escolha-o na sala de aula.",
      NO_INPUT_DETECTED:
        "Seu microfone está ligado, mas não se ouve nada. Verifique se ele não está mudo e se o microfone certo foi escolhido.",
      GET_USER_MEDIA_TIMEOUT:
        "Seu microfone não responde. Feche outros programas que o usam, conecte-o de novo e entre de novo na chamada.",
      DEFAULT_ERROR:
        "Seu microfone não funciona. Feche outros programas que o usam, verifique se está conectado e entre de novo na chamada.",
    },
    camera: {
      PERMISSION_DENIED:
        "Seu navegador não deixa a sala de aula usar a câmera. Permita o uso à esquerda da barra de endereço e entre de novo na chamada. Se não houver o que permitir, abra a sala de aula em uma nova aba.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Seu dispositivo não deixa o navegador usar a câmera. Permita o uso nas configurações de privacidade do sistema e entre de novo na chamada.",
      NOT_FOUND: "Nenhuma câmera foi encontrada. Conecte ou ligue uma e depois escolha-a na sala de aula.",
      NO_INPUT_DETECTED:
        "Sua câmera está ligada, mas não há imagem. Verifique a tampa e o botão da câmera, e se a câmera certa foi escolhida.",
      GET_USER_MEDIA_TIMEOUT:
        "Sua câmera não responde. Feche outros programas que a usam, conecte-a de novo e entre de novo na chamada.",
      DEFAULT_ERROR:
        "Sua câmera não funciona. Feche outros programas que a usam, verifique se está conectada e entre de novo na chamada.",
    },
  },
  endings: {
    left: "Você saiu da chamada.",
    "ended-by-other": "A chamada foi encerrada.",
    "ended-by-me": "Você encerrou a chamada para todos.",
  },
  end: {
    seconds: "Esta página fecha em {{number}} s.",
    waits: "Esta página continua aberta enquanto você usa a sala de aula.",
    now: "Continuar",
    stay: "Ficar aqui",
  },
  elsewhere: {
    lead: "A sala de aula abriu em uma nova aba.",
    back: "Mostrar aqui de novo",
  },
};
