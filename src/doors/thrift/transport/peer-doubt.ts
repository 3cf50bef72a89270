import type { SocketCall } from '../../../gateway/connections/socket-call.ts'

/** Running time of a call, in milliseconds, after which a peer that sends no more counts as gone. */
const UNHEARD_MS = 5000

/** The work of a connection. */
interface Working {
  /** True while a call runs, or waits for memory. */
  readonly isBusy: boolean
  /** Number of calls received. */
  readonly calls: number
}

/**
 * Watches a peer that has sent its FIN. It has closed its socket, or it still waits for its replies: TCP only shows which once a reply is sent.
 * Its calls run nevertheless, but not for minutes: after some seconds, most such peers are gone.
 */
export class PeerDoubt {
  readonly #working: Working
  readonly #socketCall: SocketCall
  #timer: NodeJS.Timeout | undefined

  constructor(working: Working, socketCall: SocketCall) {
    this.#working = working
    this.#socketCall = socketCall
  }

  /** Begins to watch: the peer has sent its FIN. */
  begin(): void {
    if (!this.#working.isBusy) return
    const { calls } = this.#working
    this.#timer = setTimeout(() => {
      if (this.#working.calls === calls && this.#working.isBusy) this.#socketCall.hangUp()
      else this.begin()
    }, UNHEARD_MS).unref()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
