/** The composition root: the only place that knows both doors and adapters. */

import { type Logger, pino } from 'pino'
import type { Door, DoorContext } from '../gateway/door.ts'
import type { Store } from '../store/store.ts'
import { openDoors } from './open-doors.ts'
import { DOOR_NAMES, type DoorName, type ServeSettings } from './serve-options.ts'
import { openServedStore } from './served-store.ts'
import { allocateYoung } from './v8-flags.ts'

/** Within this many milliseconds of SIGTERM the process ends, however slow a client is. */
const SHUTDOWN_MS_MAX = 9_000

/** Serves until SIGTERM or SIGINT. Throws where the store or a door cannot be opened. */
export async function serve(settings: ServeSettings): Promise<void> {
  allocateYoung()
  const logger = pino(
    { name: 'tidegate', level: settings.logLevel },
    pino.destination({ dest: 2, sync: true }),
  )
  const store = await openServedStore(settings, logger)
  const context: DoorContext = { store, limits: settings.limits, logger }
  let doors: ReadonlyMap<DoorName, Door>
  try {
    doors = await openDoors(context, settings)
  } catch (error) {
    await store.close()
    throw error
  }
  stopOnSignal(store, doors, logger)
  process.stdout.write(`${readyLine(store, doors, settings.host)}\n`)
}

function readyLine(store: Store, doors: ReadonlyMap<DoorName, Door>, host: string): string {
  const shown = host.includes(':') ? `[${host}]` : host
  const addresses = DOOR_NAMES.map((name) => {
    const door = doors.get(name)
    return `${name}=${door === undefined ? 'off' : `${shown}:${door.port}`}`
  })
  return `ready store=${store.kind} ${addresses.join(' ')}`
}

function stopOnSignal(store: Store, doors: ReadonlyMap<DoorName, Door>, logger: Logger): void {
  let stopping = false
  const stop = (signal: string): void => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping: no new work, finishing what is in flight')
    const deadline = setTimeout(() => {
      logger.error({ afterMs: SHUTDOWN_MS_MAX }, 'stopping took too long, ending now')
      process.exit(1)
    }, SHUTDOWN_MS_MAX)
    deadline.unref()
    stopAll(store, doors).then(
      () => {
        logger.info('stopped')
        process.exit(0)
      },
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.on('uncaughtException', (error) => {
    logger.fatal(
      { err: error },
      'a bug in Tidegate: ending, for the state is unknown; the log replays at the next start',
    )
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, 'a bug in Tidegate: a failure that nobody handled')
  })
}

async function stopAll(store: Store, doors: ReadonlyMap<DoorName, Door>): Promise<void> {
  await Promise.all([...doors.values()].map((door) => door.close()))
  await store.close()
}
