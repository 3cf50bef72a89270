/** Questions of one worker to all of them, which the parent passes on. */

import { OUTAGE_WAIT_MS } from '../../store/outage-wait.ts'
import type { ReportKind, ToWorker } from './messages.ts'

export interface Asked {
  send(message: ToWorker): void
}

interface Poll {
  readonly asker: Asked
  /** The asker's number of the question. */
  readonly ask: number
  readonly waiting: Set<Asked>
  readonly reports: unknown[]
  readonly timer: NodeJS.Timeout
}

/** A worker that has not answered by then is left out: it may be busy, or ending. OUTAGE_WAIT_MS is less, so that a wait for the store's outage has ended. */
const POLL_MS = OUTAGE_WAIT_MS + 500

export class Polls {
  readonly #open = new Map<number, Poll>()
  #last = 0

  begin(asker: Asked, ask: number, about: ReportKind, workers: readonly Asked[]): void {
    const id = ++this.#last
    const timer = setTimeout(() => this.#end(id), POLL_MS).unref()
    this.#open.set(id, { asker, ask, waiting: new Set(workers), reports: [], timer })
    if (workers.length === 0) this.#end(id)
    for (const worker of workers) worker.send({ kind: 'question', ask: id, about })
  }

  reported(worker: Asked, id: number, report: unknown): void {
    const poll = this.#open.get(id)
    if (poll === undefined || !poll.waiting.delete(worker)) return
    poll.reports.push(report)
    if (poll.waiting.size === 0) this.#end(id)
  }

  /** The worker has ended, and its report will not come. */
  gone(worker: Asked): void {
    for (const [id, poll] of this.#open) {
      if (poll.waiting.delete(worker) && poll.waiting.size === 0) this.#end(id)
    }
  }

  #end(id: number): void {
    const { asker, ask, reports, timer } = this.#open.get(id)!
    this.#open.delete(id)
    clearTimeout(timer)
    asker.send({ kind: 'answers', ask, reports })
  }
}
