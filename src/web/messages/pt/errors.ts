export const errors = {
  "alert-unknown": "Este alerta não é mais do curso.",
  "anonymous-launch":
    "A plataforma de ensino não disse quem é você; por isso a sala de aula não pode deixar você entrar. Entre na plataforma com a sua conta e abra o link de novo; se não resolver, peça à administração que compartilhe os IDs de usuário com esta ferramenta.",
  "attempts-exhausted": "A tarefa não permite mais tentativas no Canvas.",
  "bad-request": "O pedido não pôde ser entendido. Volte e tente de novo.",
  "browser-unknown":
    "Seu navegador não guardou o cookie que protege este acesso. Abra o link em uma nova janela, ou permita cookies para a sala de aula, e tente de novo.",
  "claim-lost": "As colunas estão sendo criadas por outro processo.",
  "client-id-missing":
    "Há vários registros desta plataforma de ensino, e ela não disse qual deles vale. Peça à administração que defina o ID do cliente da ferramenta.",
  "cohort-deleted": "Esta coorte foi excluída na sala de aula. Escolha outra.",
  "cohort-unknown": "Esta coorte não é conhecida aqui. Escolha uma da lista.",
  "course-gone":
    "O LMS não conhece mais o livro de notas deste curso: o curso terminou ou foi removido. Se ele for reaberto, as notas são enviadas de novo por si mesmas em até um dia.",
  "not-applicable":
    "No Canvas esta tarefa não é para esta pessoa: ela foi atribuída só a outras. Atribua-a a todos e depois reenvie a nota.",
  "being-moderated":
    "A tarefa está em moderação no Canvas e não aceita notas até que sejam liberadas lá. Depois reenvie a nota.",
  "column-unpublished": "A tarefa não está publicada no Canvas. Publique-a e depois reenvie a nota.",
  "corrections-not-allowed":
    "Sua função neste curso não inclui alterar a presença nem o cálculo das notas. Fale com um professor do curso ou peça ao administrador que o permita para a sua função.",
  "course-concluded": "O curso terminou no Canvas; por isso o livro de notas não aceita mais notas.",
  "course-unknown": "Este curso não é mais conhecido.",
  "deployment-refused":
    "A ferramenta foi instalada em um lugar que a administração ainda não permitiu. Peça à administração que o aceite no console da sala de aula.",
  "dialog-over":
    "Esta janela ficou aberta tempo demais. Feche-a e escolha o conteúdo de novo na plataforma de ensino.",
  "door-closed":
    "A sala de aula não está aberta para você no momento. Abra de novo o link no seu curso para ver quando ela abre.",
  "entry-unknown": "Este curso não é mais conhecido. Abra de novo o link na plataforma de ensino.",
  "feedback-empty": "Escolha ou escreva algo primeiro, ou simplesmente feche esta página.",
  "feedback-not-taken":
    "Sua resposta não pôde ser guardada: esta aula não aceita respostas daqui. Você não precisa fazer nada.",
  "feedback-too-often":
    "Vieram respostas demais daqui. Espere dez minutos e envie a sua de novo, ou simplesmente feche esta página.",
  "foreign-form":
    "Este formulário não foi enviado de uma página da sala de aula; por isso nada foi alterado. Abra de novo o link da sala de aula no seu curso e repita o que queria fazer.",
  "grade-locked":
    "A coluna ou esta nota está bloqueada no livro de notas do Moodle. Desbloqueie-a lá e depois reenvie a nota.",
  "grades-not-allowed":
    "Sua função neste curso não inclui ver a presença e as notas. Fale com um professor do curso ou peça ao administrador que o permita para a sua função.",
  "grading-period-closed":
    "O período de avaliação desta coluna está encerrado no Canvas; por isso ela não aceita mais notas. A administração pode reabri-lo.",
  "instructors-only": "Só docentes deste curso podem fazer isso.",
  "invitation-expired":
    "Este endereço de registro expirou. Peça um novo a quem opera a ferramenta da sala de aula.",
  "invitation-missing":
    "Falta o convite neste endereço. Peça um endereço de registro a quem opera a ferramenta da sala de aula e cole-o inteiro.",
  "invitation-used":
    "Um LMS já foi registrado com este endereço, que só funciona uma vez. Peça um novo para registrar outro LMS.",
  "launch-expired": "Este acesso é antigo demais ou já foi usado. Abra de novo o link no seu curso.",
  "launch-incomplete":
    "A plataforma de ensino deixou de enviar algo que um acesso precisa ter. Peça à administração que verifique as configurações da ferramenta.",
  "launches-many":
    "Muitas pessoas estão abrindo a sala de aula neste momento. Espere meio minuto e abra de novo o link no seu curso.",
  "launch-used": "Este acesso já foi usado. Abra de novo o link no seu curso.",
  "launch-without-course": "Este link foi aberto fora de um curso. Abra-o na página de um curso.",
  "learner-unknown": "Esta pessoa nunca esteve neste curso.",
  "line-item-elsewhere":
    "A plataforma de ensino dá à coluna de notas um endereço em outro servidor que não o da sua lista de colunas, por isso nenhuma nota é enviada para lá. Peça ao administrador que a plataforma use um só endereço para si mesma (atrás de um proxy, o que os navegadores veem). Nada se perde: depois as notas são enviadas sozinhas.",
  "link-unknown": "Esta página não pertence a nenhum link do seu curso. Abra de novo o link no seu curso.",
  "lms-busy": "A plataforma de ensino pediu para esperar.",
  "lms-closed":
    "A plataforma de ensino está fechada no momento, provavelmente em manutenção. Tentamos de novo automaticamente.",
  "lms-failed": "A plataforma de ensino falhou.",
  "lms-key-refused":
    "A plataforma de ensino não aceita a chave da ferramenta no momento. Tentamos de novo automaticamente; nada se perde. Se continuar, pergunte à administração se a ferramenta está ativada na plataforma, se ela consegue ler as chaves da ferramenta e se os relógios estão certos.",
  "lms-list-broken":
    "As páginas de uma lista da plataforma de ensino andam em círculo, levam a outro endereço ou não terminam.",
  "lms-moved":
    "A plataforma de ensino redireciona para outro endereço. Talvez esteja em manutenção; se ela mudou, o endereço deve ser alterado no registro da ferramenta.",
  "lms-not-allowed":
    "A plataforma de ensino não permite isto à ferramenta. Peça à administração que permita este serviço para a ferramenta.",
  "lms-not-found": "A plataforma de ensino não conhece mais o que lhe foi pedido.",
  "lms-refused": "A plataforma de ensino recusou o que lhe foi pedido.",
  "lms-reply-unreadable": "A plataforma de ensino respondeu algo que não pode ser lido.",
  "lms-token-refused":
    "A plataforma de ensino recusou um token de acesso. Pergunte à administração se a ferramenta está ativa, se pode usar estes serviços e se o endereço das chaves da ferramenta está certo.",
  "lms-token-unavailable": "A plataforma de ensino não fornece token de acesso no momento.",
  "lms-unreachable": "A plataforma de ensino não respondeu.",
  "login-incomplete":
    "A plataforma de ensino deixou de enviar algo necessário ao abrir um link. Peça à administração que verifique as configurações da ferramenta.",
  "members-only": "Só pessoas deste curso podem ver as sessões dele.",
  "message-unsupported":
    "A sala de aula não conhece este tipo de link. Peça ao seu professor ou à sua professora que o adicione de novo como ferramenta externa.",
  "no-grade-service":
    "A plataforma de ensino não deixa esta ferramenta escrever notas neste curso. Peça à administração que permita a sincronização de notas e o gerenciamento de colunas para a ferramenta e depois abra o link do curso uma vez.",
  "no-grades": "Este curso não dá notas.",
  "no-return-address":
    "A plataforma de ensino não informou um endereço de retorno. Feche esta janela por lá.",
  "nonce-used": "Este acesso já foi usado. Abra de novo o link no seu curso.",
  "not-a-launch":
    "Este endereço é aberto pela plataforma de ensino. Abra a sala de aula pelo link no seu curso.",
  "not-gradable":
    "A plataforma de ensino não aceita uma nota para esta pessoa: ela não é (ou não é mais) estudante ativo do curso, é docente nele, ou o curso não está publicado.",
  "not-in-course":
    "A plataforma de ensino diz que você não está mais neste curso. Se você está, abra de novo o link na plataforma.",
  "over-maximum":
    "A plataforma de ensino não aceita nota acima do máximo da coluna. Faça com que a regra da nota não dê mais do que isso, ou permita pontos extras na coluna.",
  "person-unknown": "Esta pessoa não é mais conhecida.",
  "platform-inactive":
    "Esta plataforma de ensino está desativada na ferramenta da sala de aula. Fale com a administração.",
  "platform-keys-unreachable":
    "A plataforma de ensino não responde com suas chaves no momento. Espere um minuto e abra o link de novo.",
  "platform-launch-expired":
    "A plataforma de ensino diz que este acesso não é mais válido. Recarregue a página do curso e abra o link de novo.",
  "platform-login-hidden":
    "A plataforma de ensino diz que você não está com a sessão iniciada. Seu navegador pode esconder seu login de uma página dentro de outra: abra o link em uma nova janela. Se não resolver, faça login na plataforma e abra o link de novo.",
  "platform-login-required":
    "A plataforma de ensino diz que você não está com a sessão iniciada. Faça login nela e abra o link de novo.",
  "platform-refused":
    "A plataforma de ensino se recusou a abrir a sala de aula. Tente de novo; se voltar a acontecer, avise a administração.",
  "platform-unknown":
    "Esta plataforma de ensino não está registrada na ferramenta da sala de aula. Peça à administração que a registre.",
  "recording-unavailable":
    "A sala de aula não informa onde está esta gravação. Entre no Space e procure-a lá.",
  "recording-unknown": "Esta gravação não é mais do curso. Volte às gravações.",
  "registration-unknown": "Esta plataforma de ensino não está mais registrada.",
  "request-malformed":
    "O pedido não é um que uma plataforma de ensino envia. Abra a sala de aula pelo link no seu curso.",
  "review-of-somebody-else":
    "Você só pode ver a sua própria presença. Abra a sala de aula pelo link no seu curso.",
  "roster-empty":
    "A plataforma de ensino enviou uma lista de participantes vazia; por isso nada foi alterado. Pergunte à administração se a ferramenta pode ver quem está no curso.",
  "roster-given-up":
    "A lista não pôde ser lida após muitas tentativas. Leia-a de novo; se não resolver, avise quem opera esta ferramenta.",
  "scope-not-granted":
    "A plataforma de ensino não deu à ferramenta o direito de fazer isto no livro de notas. Peça à administração que permita a sincronização de notas e o gerenciamento de colunas para a ferramenta e depois abra o link do curso uma vez.",
  "section-linked-already":
    "Alguém vinculou esta seção a outra coorte enquanto isso. Veja a página de novo; se estiver errado, desvincule-a primeiro.",
  "session-changed-meanwhile":
    "Outra pessoa está alterando esta sessão. Abra-a de novo e veja como está agora.",
  "signed-out": "Você saiu. Para voltar, abra de novo o link da sala de aula no seu curso.",
  "role-changed":
    "Sua plataforma informa que o seu papel neste curso mudou. Abra de novo o link no seu curso.",
  "launch-again":
    "Sua plataforma precisa informar mais uma vez o que você pode fazer neste curso. Abra de novo o link no seu curso.",
  "ended-by-administrator":
    "Um administrador encerrou a sua sessão. Para voltar, abra de novo o link da sala de aula no seu curso.",
  "too-many-sessions":
    "Você abriu a sala de aula vezes demais ao mesmo tempo; por isso as páginas mais antigas foram fechadas. Abra de novo o link da sala de aula no seu curso.",
  "session-over": "Esta página é antiga demais. Volte ao seu curso e abra de novo o link da sala de aula.",
  "set-by-institution":
    "Sua instituição definiu um destes valores para todos os cursos; por isso ele não pode ser alterado aqui. Abra a página de novo e altere os outros.",
  "space-elsewhere":
    "O serviço da sala colocou o Space deste curso em um endereço para o qual esta ferramenta não envia ninguém. O Space está guardado e abre assim que quem opera esta ferramenta resolver o endereço; no curso não há mais nada a fazer.",
  "space-id-unusable": "Este Space não tem um ID utilizável. Escolha de novo o Space do curso.",
  "space-id-taken":
    "O serviço de salas de aula deu a um Space novo o identificador de um que já existia. Ninguém foi admitido; avise quem administra o serviço de salas de aula.",
  "own-spaces-only":
    "Sua instituição só permite que os cursos usem Spaces criados para os cursos dela; fale com a administração do seu LMS se o seu curso precisar de outro.",
  "space-needs-approval":
    "Este Space não foi criado para o seu curso e, por isso, precisa ser aprovado antes que o curso possa usá-lo. Sua solicitação foi registrada; quem decide é a administração do seu LMS ou quem opera esta ferramenta.",
  "space-list-refused":
    "O Space deste curso só deixa entrar quem está na lista dele, e a sala de aula não incluiu você. Peça ao seu docente que convide você na sala de aula ou tente de novo mais tarde.",
  "space-not-approved":
    "O Space definido aqui não está aprovado para este curso ou foi fechado. Um docente pode escolher outro em Configurações, Space.",
  "space-not-own":
    "Sua instituição só permite que os cursos usem Spaces criados para os cursos dela, e o definido aqui não é um deles. Um docente pode dar ao curso o próprio Space em Configurações, Space; a administração do seu LMS pode dizer mais.",
  "space-requests-full":
    "Há tantas solicitações deste curso à espera de resposta que nenhuma outra é aceita. Peça à administração do seu LMS que responda a elas.",
  "still-being-made": "Isto ainda está sendo preparado. Tente de novo em um minuto.",
  "storage-busy": "Outro processo está ocupando o banco de dados: tente de novo.",
  "storage-full": "O disco da pasta do banco de dados está cheio: libere espaço.",
  "survey-over":
    "Esta página é antiga demais para ser respondida. Nada foi guardado, e você não precisa fazer nada.",
  "target-changed": "O link mudou enquanto era aberto. Abra-o de novo no seu curso.",
  "target-foreign":
    "Este link leva a um endereço que não é o da ferramenta da sala de aula. Peça ao seu professor ou à sua professora que adicione o link de novo.",
  "token-algorithm":
    "A plataforma de ensino assinou o acesso de um modo que não é seguro aceitar. Peça à administração que escolha RS256.",
  "token-audience":
    "O acesso era destinado a outra ferramenta. Peça à administração que verifique o ID do cliente.",
  "token-expired": "Este acesso expirou. Abra de novo o link no seu curso.",
  "token-issuer":
    "O acesso indica outra plataforma de ensino que não a de origem. Abra de novo o link no seu curso.",
  "token-key-unknown":
    "O acesso foi assinado com uma chave que a plataforma de ensino não publica. Peça à administração que verifique o endereço do conjunto de chaves da ferramenta.",
  "token-malformed":
    "A plataforma de ensino enviou uma mensagem que não pode ser lida. Abra o link de novo; se voltar a acontecer, avise a administração.",
  "token-nonce": "Este acesso não responde ao pedido que foi feito. Abra de novo o link no seu curso.",
  "token-signature": "O acesso não foi assinado pela plataforma de ensino. Abra de novo o link no seu curso.",
  "token-times":
    "Os horários deste acesso não combinam com a hora atual. Abra o link de novo; se voltar a acontecer, o relógio da plataforma de ensino pode estar errado.",
  "too-many-requests":
    "Foram feitos demasiados pedidos a partir da sua rede em pouco tempo. Aguarde um momento e tente de novo.",
  "user-matched-already":
    "Este usuário da sala de aula já é alguém aqui. Abra a lista de novo para ver como está agora.",
};
