/** The queue of password checks, of which one runs at a time. */

import { HBaseError } from '../../../../model/errors.ts'

/** Waiting checks of all networks. A check takes a tenth of a second. */
const WAITING_MAX = 64

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Networks of clients take turns: a network that guesses many passwords at once delays the others by one check at
 * most. Where too many checks wait, the network with the most loses its newest.
 */
export class LoginTurns {
  /** Waiting checks by network, in the order of the turns. No list is empty. */
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0
  #isRunning = false

  /** Runs the check in its turn. Rejects with OVERLOADED where too many checks wait. */
  run<Result>(network: string, check: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const start = (): void => void this.#run(check).then(resolve, reject)
      if (!this.#isRunning) start()
      else if (this.#count < WAITING_MAX || this.#makesRoom(network))
        this.#wait(network, { start, refuse: reject })
      else reject(overloaded())
    })
  }

  async #run<Result>(check: () => Promise<Result>): Promise<Result> {
    this.#isRunning = true
    try {
      return await check()
    } finally {
      this.#isRunning = false
      this.#startNext()
    }
  }

  #wait(network: string, waiting: Waiting): void {
    const others = this.#waiting.get(network)
    if (others === undefined) this.#waiting.set(network, [waiting])
    else others.push(waiting)
    this.#count++
  }

  /** Starts the next check. Its network then goes behind all others. */
  #startNext(): void {
    for (const [network, [next, ...more]] of this.#waiting) {
      this.#waiting.delete(network)
      if (more.length > 0) this.#waiting.set(network, more)
      this.#count--
      next!.start()
      return
    }
  }

  /** Drops a check of the network with the most; false where no network has more than this one would have. */
  #makesRoom(network: string): boolean {
    let most: Waiting[] | undefined
    let least = (this.#waiting.get(network)?.length ?? 0) + 1
    for (const waiting of this.#waiting.values()) {
      if (waiting.length <= least) continue
      most = waiting
      least = waiting.length
    }
    if (most === undefined) return false
    most.pop()!.refuse(overloaded())
    this.#count--
    return true
  }
}

function overloaded(): HBaseError {
  return new HBaseError('OVERLOADED', 'too many logins at a time: try again')
}
