import type { VoteMessages } from "../vote.ts";

export const hi: VoteMessages = {
  card: {
    likes: "पसंद",
    up: "पसंद",
    down: "नापसंद",
    report: "शिकायत",
    confirm: "हाँ, इस उद्धरण की शिकायत करें",
  },
  states: {
    sending: "भेजा जा रहा है…",
    counted: "गिन लिया गया। धन्यवाद।",
    unconfirmed: "भेजा गया, पर पुष्टि नहीं हुई।",
    later: "सेवा व्यस्त है। बाद में फिर कोशिश करें।",
    laterIn: "सेवा व्यस्त है। {when} फिर कोशिश करें।",
    offline: "आप ऑफ़लाइन हैं। कुछ नहीं भेजा गया।",
    refused: "सेवा ने इसे अस्वीकार कर दिया।",
    already: "आप इस उद्धरण पर पहले ही मत दे चुके हैं।",
    hidden: "आपने इस उद्धरण की शिकायत की, इसलिए यह यहाँ छिपा है।",
    show: "फिर दिखाएँ",
  },
};
