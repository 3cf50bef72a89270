/** A worker's way to its parent, and through it to the other workers. */

import type { MetricsJson } from '../../doors/web/metrics/exposition.ts'
import type { Health } from '../../doors/web/status/health.ts'
import type { Reports } from '../../doors/web/status/server-facts.ts'
import type { FromWorker, ReportKind, ToWorker } from './messages.ts'

export class ParentLink implements Reports {
  readonly processes: number
  readonly #asked = new Map<number, (reports: readonly unknown[]) => void>()
  #lastAsk = 0
  #own: Reports | undefined
  #reload: (() => void) | undefined
  #stop: ((reason: string) => void) | undefined

  constructor(processes: number) {
    this.processes = processes
    process.on('message', (message: ToWorker) => this.#heard(message))
  }

  /** `stop`: is also called for a stop that began while this process was loading. */
  onStop(stop: (reason: string) => void): void {
    this.#stop = stop
    send({ kind: 'hears' })
  }

  /** A worker that is still starting reads its files anyway. */
  onReload(reload: () => void): void {
    this.#reload = reload
  }

  /** `own`: the reports of this worker. */
  answers(own: Reports): void {
    this.#own = own
  }

  metrics(): Promise<readonly MetricsJson[]> {
    return this.#ask('metrics') as Promise<readonly MetricsJson[]>
  }

  readiness(): Promise<readonly Health[]> {
    return this.#ask('readiness') as Promise<readonly Health[]>
  }

  async #ask(about: ReportKind): Promise<readonly unknown[]> {
    const ask = ++this.#lastAsk
    return await new Promise((resolve) => {
      this.#asked.set(ask, resolve)
      send({ kind: 'ask', ask, about })
    })
  }

  #heard(message: ToWorker): void {
    switch (message.kind) {
      case 'stop':
        this.#stop?.(message.reason)
        break
      case 'reload':
        this.#reload?.()
        break
      case 'question':
        void this.#report(message.ask, message.about)
        break
      case 'answers':
        this.#asked.get(message.ask)?.(message.reports)
        this.#asked.delete(message.ask)
    }
  }

  async #report(ask: number, about: ReportKind): Promise<void> {
    for (const report of (await this.#own?.[about]()) ?? []) send({ kind: 'report', ask, report })
  }
}

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
