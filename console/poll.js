/** Refreshes a page again and again while it is shown. */

import { NoAnswer, Refusal } from './api.js'
import { h } from './dom.js'

/**
 * Calls `work` now, and then again some time after each end. Only the first failure is thrown: later ones are shown at the top of the page, and
 * the page goes on once the server answers again.
 *
 * @typedef {object} Polling
 * @property {number} everyMs
 * @property {number} [soonMs] the time before the second call
 * @property {AbortSignal} signal
 * @property {HTMLElement} main
 * @property {() => boolean} [isPaused]
 *
 * @param {() => Promise<void>} work
 * @param {Polling} options
 */
export async function poll(work, { everyMs, soonMs = everyMs, signal, main, isPaused = () => false }) {
  // Several works of a page share the place.
  const place = () => main.querySelector(':scope > .notice')
  await work()
  const refresh = async () => {
    if (signal.aborted) return
    if (!document.hidden && !isPaused()) {
      try {
        await work()
        place()?.remove()
      } catch (error) {
        if (signal.aborted) return
        const words = wordsOf(error)
        const notice = place() ?? h('p', { class: 'notice', role: 'status' })
        if (notice.textContent !== words) notice.textContent = words
        if (!notice.isConnected) main.prepend(notice)
      }
    }
    setTimeout(() => void refresh(), everyMs)
  }
  setTimeout(() => void refresh(), soonMs)
}

/** @param {unknown} error */
function wordsOf(error) {
  if (error instanceof NoAnswer)
    return 'The server does not answer. This page shows its last figures, and goes on once it does.'
  if (error instanceof Refusal && error.code === 'STARTING')
    return `The server starts: ${error.message}. This page goes on once it has.`
  return error instanceof Error ? error.message : String(error)
}
