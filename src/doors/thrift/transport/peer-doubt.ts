import type { SocketCall } from '../../../gateway/connections/socket-call.ts'

/** Running time of a call after which a peer that sends no more counts as gone. */
const UNHEARD_MS = 5000

/** The work of a connection. */
interface Working {
  /** A call runs, or waits for memory. */
  readonly isBusy: boolean
  /** Calls received. */
  readonly calls: number
}

/**
 * A peer that sends no more has closed its socket or waits for its replies: TCP shows which only once a reply is sent.
 * Its calls run nevertheless, but not for minutes: by then most such peers are gone.
 */
export class PeerDoubt {
  readonly #working: Working
  readonly #socketCall: SocketCall
  #timer: NodeJS.Timeout | undefined

  constructor(working: Working, socketCall: SocketCall) {
    this.#working = working
    this.#socketCall = socketCall
  }

  /** The peer has sent its FIN. */
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
