import type { VoteMessages } from "./messages.ts";

export const pt: VoteMessages = {
  card: {
    likes: "Curtidas",
    up: "Curtir",
    down: "Não curtir",
    report: "Denunciar",
    confirm: "Sim, denunciar esta citação",
  },
  states: {
    sending: "Enviando…",
    counted: "Contado. Obrigado.",
    unconfirmed: "Enviado, mas não confirmado.",
    later: "O serviço está ocupado. Tente de novo mais tarde.",
    laterIn: "O serviço está ocupado. Tente de novo {when}.",
    offline: "Sem conexão. Nada foi enviado.",
    refused: "O serviço recusou.",
    already: "O seu voto nesta citação já foi dado.",
    reported: "A sua denúncia desta citação já foi enviada.",
    hidden: "Esta citação foi denunciada e está oculta aqui.",
    show: "Mostrar de novo",
  },
};
