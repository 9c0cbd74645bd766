/** The count beside the buttons, in the digits of the card's language. */

const STEPS: Readonly<Record<string, number>> = { upvote: 1, downvote: -1 };

/**
 * Shows the count as it will be.
 *
 * @returns puts back what stood there
 */
export function countVote(box: HTMLElement, operation: string): () => void {
  const count = box.querySelector("data");
  if (count === null) return () => undefined;
  const shown = count.textContent;
  const { lang } = count.closest<HTMLElement>("[lang]") ?? document.documentElement;
  const value = Number(count.value) + (STEPS[operation] ?? 0);
  count.textContent = new Intl.NumberFormat(lang).format(value);
  return () => (count.textContent = shown);
}
