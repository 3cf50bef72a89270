/** `tidegate serve`: a server for as long as the process lives. */

import type { Logger } from 'pino'
import { RecentEvents } from '../../gateway/observing/logs/recent-events.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { urlHost } from '../flags/bind-address.ts'
import { serverLog } from '../logs/server-log.ts'
import { watchLauncher } from '../machine/launcher.ts'
import { ServiceManager } from '../machine/service-manager.ts'
import { allocateYoung } from '../machine/v8-flags.ts'
import { packageVersion } from '../machine/version.ts'
import { DOOR_NAMES } from '../settings/door-ports.ts'
import { type ServeSettings } from '../settings/serve-options.ts'
import type { NameSetting } from '../settings/setting-names.ts'
import { reportOutputFault } from '../terminal/standard-streams.ts'
import { printFirstSteps } from './first-steps.ts'
import { orderlyStop } from './orderly-stop.ts'
import { readyLine } from './ready-line.ts'
import { type RunningServer, startServer, type Together } from './start-server.ts'

/** How a server reports its state, and hears when to stop: a server alone differs from one of several processes. */
export interface Role {
  readonly logger: Logger
  /** The latest lines of `logger`. */
  readonly events: RecentEvents
  /** Undefined: the server is alone. */
  readonly together?: Together | undefined
  /** All doors listen. Where it throws, the server stops, and its start has failed. */
  ready(server: RunningServer, addresses: Addresses): void | Promise<void>
  stopping(): void
  /** `stop`: ends the server; its reason is in words. */
  onStop(stop: (reason: string) => void): void
  /** `reload`: reads the server's files again, when its parent says so. */
  onReload(reload: () => void): void
}

/**
 * Serves until a signal, or until npm, which started the process, has ended. Throws a StartError where it cannot start. `role`:
 * undefined for a server that serves alone.
 */
export async function serve(
  settings: ServeSettings,
  nameOf: NameSetting,
  role: Role = aloneRole(settings, nameOf),
): Promise<void> {
  allocateYoung()
  const { logger } = role
  // Before the start, which may replay a log for minutes: without a handler process 1 of a container hears no signal.
  const starting = startServer(settings, nameOf, logger, { together: role.together, events: role.events })
  stopOnSignals(starting, role)
  const server = await starting
  // Tools that renew certificates and rotate logs send it. Logs are opened anew by themselves once they have been moved.
  process.on('SIGHUP', () => void server.reload())
  role.onReload(() => void server.reload())
  try {
    await role.ready(server, addressesOf(server, settings.host))
  } catch (error) {
    // Its doors would keep the process, without a line that says so.
    await server.stop()
    throw error
  }
}

/** `steps`: prints the first commands for a new server. */
export function aloneRole(
  settings: ServeSettings,
  nameOf: NameSetting,
  steps: (addresses: Addresses) => void = (addresses) => printFirstSteps(settings, addresses),
): Role {
  const events = new RecentEvents()
  const logger = serverLog(settings.logLevel, { events })
  const manager = new ServiceManager(logger)
  reportOutputFault((err) => logger.warn({ err }, `stdout cannot be written: ${reasonOf(err)}`))
  manager.starting()
  return {
    logger,
    events,
    ready: (server, addresses) => {
      process.stdout.write(`${readyLine(server.store.kind, addresses)}\n`)
      manager.ready()
      logger.info(
        {
          version: packageVersion(),
          node: process.version,
          store: nameOf('store'),
          ...addresses,
          ...((server.threads > 0 || settings.threads === 'auto') && { threads: server.threads }),
          ...(server.lowered !== undefined && { connectionsMax: server.lowered }),
          settings: settings.stated,
          startMs: Math.round(performance.now()),
        },
        'serving, until SIGTERM or SIGINT',
      )
      steps(addresses)
    },
    stopping: () => manager.stopping(),
    onStop: watchLauncher,
    onReload: () => undefined,
  }
}

/** The address of each door, by the door's name: `127.0.0.1:8080`, or `off`. */
export type Addresses = Readonly<Record<string, string>>

function addressesOf({ doors }: RunningServer, host: string): Addresses {
  return Object.fromEntries(
    DOOR_NAMES.map((name) => {
      const door = doors.get(name)
      return [name, door === undefined ? 'off' : `${urlHost(host)}:${door.port}`]
    }),
  )
}

function stopOnSignals(starting: Promise<RunningServer>, role: Role): void {
  const { logger } = role
  const stop = orderlyStop({
    starting,
    logger,
    exit: (code) => process.exit(code),
    stopping: () => role.stopping(),
  })
  // Not once: npm and a terminal may both pass one signal on, and the second would break off the stop.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  role.onStop(stop)
  process.on('uncaughtException', (error) => {
    logger.fatal(
      { err: error },
      `a bug in Tidegate: ${reasonOf(error)}; ending, for the state is unknown; the log replays at the next start`,
    )
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, `a bug in Tidegate: an unhandled failure: ${reasonOf(error)}`)
  })
}
