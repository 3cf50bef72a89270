/** `tidegate serve`: a server for as long as the process lives. */

import type { Logger } from 'pino'
import { reasonOf } from '../model/error-reason.ts'
import { urlHost } from './bind-address.ts'
import { watchLauncher } from './launcher.ts'
import { orderlyStop } from './orderly-stop.ts'
import { DOOR_NAMES, type ServeSettings } from './serve-options.ts'
import { serverLog } from './server-log.ts'
import { ServiceManager } from './service-manager.ts'
import type { NameSetting } from './setting-names.ts'
import { type RunningServer, startServer } from './start-server.ts'
import { allocateYoung } from './v8-flags.ts'
import { packageVersion } from './version.ts'

/** Serves until a signal, or until npm, which started the process, has ended. Throws a StartError where it cannot start. */
export async function serve(settings: ServeSettings, nameOf: NameSetting): Promise<void> {
  allocateYoung()
  const logger = serverLog(settings.logLevel)
  // Before the start, which may replay a log for minutes: without a handler process 1 of a container hears no signal.
  const starting = startServer(settings, nameOf, logger)
  const manager = new ServiceManager(logger)
  stopOnSignals(starting, manager, logger)
  const server = await starting
  // Without certificates the signal ends the process, as a terminal that goes away is used to.
  if (server.certificates !== undefined) process.on('SIGHUP', () => server.certificates?.reload())
  const addresses = addressesOf(server, settings.host)
  process.stdout.write(`${readyLine(server, addresses)}\n`)
  manager.ready()
  logger.info(
    {
      version: packageVersion(),
      node: process.version,
      store: nameOf('store'),
      ...addresses,
      ...(server.lowered !== undefined && { connectionsMax: server.lowered }),
      settings: settings.stated,
      startMs: Math.round(performance.now()),
    },
    'serving, until SIGTERM or SIGINT',
  )
}

/** By the door's name: `127.0.0.1:8080`, or `off`. */
type Addresses = Readonly<Record<string, string>>

function addressesOf({ doors }: RunningServer, host: string): Addresses {
  return Object.fromEntries(
    DOOR_NAMES.map((name) => {
      const door = doors.get(name)
      return [name, door === undefined ? 'off' : `${urlHost(host)}:${door.port}`]
    }),
  )
}

function readyLine({ store }: RunningServer, addresses: Addresses): string {
  const doors = Object.entries(addresses).map(([name, address]) => `${name}=${address}`)
  return `ready store=${store.kind} ${doors.join(' ')}`
}

function stopOnSignals(starting: Promise<RunningServer>, manager: ServiceManager, logger: Logger): void {
  const stop = orderlyStop({
    starting,
    logger,
    exit: (code) => process.exit(code),
    stopping: () => manager.stopping(),
  })
  // Not once: npm and a terminal may both pass one signal on, and the second would break off the stop.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  watchLauncher(stop)
  process.on('uncaughtException', (error) => {
    logger.fatal(
      { err: error },
      `a bug in Tidegate: ${reasonOf(error)}; ending, for the state is unknown; the log replays at the next start`,
    )
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, `a bug in Tidegate: a failure that nobody handled: ${reasonOf(error)}`)
  })
}
