/**
 * Lets one tab at a time act on a quote: storage alone may lag between two processes of a browser.
 *
 * Locks are missing outside of secure origins and refused where storage is; then what is remembered has to do.
 *
 * @param run not called while another tab holds the name
 */
export async function alone(name: string, run: () => Promise<void>): Promise<void> {
  let asked = false;
  try {
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      asked = true;
      if (lock !== null) await run();
    });
  } catch (error) {
    if (asked) throw error;
    await run();
  }
}
