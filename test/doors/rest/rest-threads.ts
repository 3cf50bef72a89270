/** A thread for the REST door of a test: it has all connections of the test's clients. */

import { pino } from 'pino'
import { DoorThreads, type MainParts } from '../../../src/cli/serve/threads/door-threads.ts'
import type { ServeSettings } from '../../../src/cli/settings/serve-options.ts'
import type { Handover } from '../../../src/gateway/connections/handover.ts'
import type { Siblings } from '../../../src/gateway/siblings/siblings.ts'
import { parsedSettings } from '../../cli/parsed-settings.ts'
import { openIdleFirsts } from '../../harness/door-threads/idle-firsts.ts'

const THREADS = 1

/** True in the project `rest-threads` of Vitest: a thread answers the tests of the REST door. */
export const ARE_IN_THREADS: boolean = process.env['TIDEGATE_TEST_REST_THREADS'] !== undefined

export class RestThreads {
  readonly #threads: DoorThreads
  #endIdle: () => void = () => undefined

  /** `stated`: the settings of the door. */
  constructor(stated: Partial<ServeSettings> & Pick<ServeSettings, 'limits'>, requestsBytes: number) {
    const { limits } = stated
    // The thread and the main one have a part each.
    const parts = THREADS + 1
    const shared = {
      scannersMax: limits.scannersMax * parts,
      clientScannersMax: limits.clientScannersMax * parts,
    }
    const settings = {
      ...parsedSettings('--store', 'memory', '--threads', String(THREADS), '--log-level', 'silent'),
      ...stated,
      limits: { ...limits, ...shared },
    }
    const logger = pino({ level: 'silent' })
    this.#threads = new DoorThreads({ count: THREADS, settings, requestsBytes, logger })
  }

  get context(): { readonly siblings: Siblings; readonly handover: Handover } {
    return this.#threads
  }

  /** Resolves once the thread has every further connection. */
  async start(main: MainParts): Promise<void> {
    await this.#threads.start(main)
    this.#endIdle = await openIdleFirsts(main.doors.get('rest')!.port)
  }

  async stop(): Promise<void> {
    this.#endIdle()
    await this.#threads.stop()
  }
}
