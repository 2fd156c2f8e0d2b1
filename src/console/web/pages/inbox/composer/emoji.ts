/** TABLE: the emoji that people use most in conversations with customers. */
export const EMOJI: readonly string[] = Array.from(
  new Intl.Segmenter().segment(
    "😀😄😁😅😂🙂😉😊😍😘😜🤔😐😬😔😢😭😡😱🤗🙏👍👎👏🙌👋🤝💪✌️👌👀❤️💚💙💛🎉🎂🎁🌹☀️🔥⭐✅❌❗❓⏰📅📍📎📦🚚🛒💰💳🧾📷📞🏠🍞☕🍰🇧🇷",
  ),
  ({ segment }) => segment,
);
