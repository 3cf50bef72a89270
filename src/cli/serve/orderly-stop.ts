/** Ends the process in order, and in time: the sender of a signal does not wait for ever. */

import type { Logger } from 'pino'
import { reasonOf } from '../../model/error-reason.ts'
import { packageVersion } from '../machine/version.ts'
import type { RunningServer } from './start-server.ts'

/** Within this many milliseconds of SIGTERM the process ends, however slow a client is. */
const SHUTDOWN_MS_MAX = 9_000
/** A start that has not ended by then is broken off. */
const START_MS_MAX = 2_000

export interface StopParts {
  readonly starting: Promise<Pick<RunningServer, 'stop'>>
  readonly logger: Logger
  readonly exit: (code: number) => void
  /** Called when the stop begins. */
  readonly stopping: () => void
}

/** Ends the process once; later calls of the returned function change nothing. `reason`: a signal, say. */
export function orderlyStop({ starting, logger, exit, stopping }: StopParts): (reason: string) => void {
  let isStopping = false
  let isStarted = false
  const started = (): void => {
    isStarted = true
  }
  starting.then(started, started)
  return (reason) => {
    if (isStopping) return
    isStopping = true
    const since = performance.now()
    const facts = { reason, version: packageVersion(), uptimeSeconds: Math.floor(since / 1000) }
    logger.info(facts, `stopping, because of ${reason}: no new work, finishing what is in flight`)
    stopping()
    const end = (code: number): void => {
      clearTimeout(early)
      clearTimeout(late)
      exit(code)
    }
    const early = setTimeout(() => {
      if (isStarted) return
      // No client was served yet, and a start may be broken off anywhere, as by kill -9.
      const why = 'the store was still being opened, which the next start does anew: nothing is lost'
      logger.info(facts, `stopped, because of ${reason}; ${why}`)
      end(0)
    }, START_MS_MAX)
    const late = setTimeout(() => {
      logger.error(
        { ...facts, afterMs: SHUTDOWN_MS_MAX },
        'stopping took too long: ending now. The next start replays the log; rows that were written with SKIP_WAL and are in no store file yet are lost',
      )
      end(1)
    }, SHUTDOWN_MS_MAX)
    const stopped = starting.then((server) => server.stop())
    stopped.then(
      () => {
        logger.info({ ...facts, ms: Math.round(performance.now() - since) }, `stopped, because of ${reason}`)
        end(0)
      },
      (error: unknown) => {
        logger.error(
          { ...facts, err: error },
          `stopping failed: ${reasonOf(error)}; the next start replays the log that it finds`,
        )
        end(1)
      },
    )
  }
}
