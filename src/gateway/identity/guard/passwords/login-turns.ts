/** Checks of passwords, of which one runs at a time. */

import { HBaseError } from '../../../../model/errors.ts'

/** All together. A check takes a tenth of a second. */
const WAITING_MAX = 64

interface Waiting {
  readonly start: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Networks of clients take turns, so that one which guesses many passwords at once keeps the others waiting for one check of its own at
 * most. Where too many wait, the network with the most of them loses its newest.
 */
export class LoginTurns {
  /** In the order of their turns. No list is empty. */
  readonly #waiting = new Map<string, Waiting[]>()
  #count = 0
  #isRunning = false

  /** Rejects with OVERLOADED where too many wait. */
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

  /** The network goes behind all others. */
  #startNext(): void {
    for (const [network, [next, ...more]] of this.#waiting) {
      this.#waiting.delete(network)
      if (more.length > 0) this.#waiting.set(network, more)
      this.#count--
      next!.start()
      return
    }
  }

  /** False: no network has more than this one would have. */
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
