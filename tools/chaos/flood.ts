/** Many clients at once, each waiting for one get: Tidegate must hold them while HBase does not answer. */

import type { Calls } from './calls.ts'
import { Family, ROWS, rowName } from './settings.ts'
import { randomBelow } from './stop-signal.ts'
import { Thrift2Writes } from './thrift-doors.ts'

export class Flood {
  readonly #calls: Calls
  readonly #port: number

  constructor(calls: Calls, port: number) {
    this.#calls = calls
    this.#port = port
  }

  /** Resolves when each client has an answer or an error. */
  async run(clients: number): Promise<void> {
    await Promise.all(
      Array.from({ length: clients }, async () => {
        const door = new Thrift2Writes(this.#port)
        const get = (): Promise<unknown> => door.get(rowName(randomBelow(ROWS)), Family.data)
        await this.#calls.run('get of the flood', get).catch(() => undefined)
        door.close()
      }),
    )
  }
}
