/** The process that starts the others and looks after them. It answers no client itself, and loads little. */

import type { Logger } from 'pino'
import { reasonOf } from '../../model/error-reason.ts'
import { StartError } from '../failures/start-error.ts'
import { UsageError } from '../failures/usage-error.ts'
import { serverLog } from '../logs/server-log.ts'
import { watchLauncher } from '../machine/launcher.ts'
import { ServiceManager } from '../machine/service-manager.ts'
import { packageVersion } from '../machine/version.ts'
import { printFirstSteps } from '../serve/first-steps.ts'
import { readyLine } from '../serve/ready-line.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import type { NameSetting } from '../settings/setting-names.ts'
import { reportOutputFault } from '../terminal/standard-streams.ts'
import type { StartFault } from './messages.ts'
import { Supervisor } from './supervisor.ts'
import { WorkerProcesses } from './worker-processes.ts'
import { checkShares } from './worker-settings.ts'

/** Serves until a signal, or until npm, which started the process, has ended. Throws as `serve`. */
export async function serveByWorkers(settings: ServeSettings, nameOf: NameSetting): Promise<void> {
  checkShares(settings)
  const logger = serverLog(settings.logLevel)
  const workers = new WorkerProcesses()
  const supervisor = new Supervisor({
    count: settings.processes,
    spawn: (worker, events) => workers.spawn(worker, events),
    logger,
  })
  reportOutputFault((err) => logger.warn({ err }, `stdout cannot be written: ${reasonOf(err)}`))
  const manager = new ServiceManager(logger)
  manager.starting()
  stopOnSignals(supervisor, manager, logger)
  const facts = await supervisor.start().catch(async (fault: StartFault) => {
    await supervisor.stop('the start has failed')
    throw fault.exitCode === 2 ? new UsageError(fault.message) : new StartError(fault.message)
  })
  workers.keepPorts(facts.ports)
  const { store, addresses, lowered } = facts
  process.stdout.write(`${readyLine(store, addresses)}\n`)
  manager.ready()
  logger.info(
    {
      version: packageVersion(),
      node: process.version,
      store: nameOf('store'),
      processes: settings.processes,
      workerPids: supervisor.pids,
      ...addresses,
      ...(lowered !== undefined && { connectionsMaxOfProcess: lowered }),
      settings: settings.stated,
      startMs: Math.round(performance.now()),
    },
    `serving by ${settings.processes} processes, until SIGTERM or SIGINT`,
  )
  printFirstSteps(settings, addresses)
}

function stopOnSignals(supervisor: Supervisor, manager: ServiceManager, logger: Logger): void {
  let isStopping = false
  const stop = (reason: string): void => {
    if (isStopping) return
    isStopping = true
    const facts = { reason, version: packageVersion(), uptimeSeconds: Math.floor(performance.now() / 1000) }
    logger.info(facts, `stopping all processes, because of ${reason}`)
    manager.stopping()
    void supervisor.stop(reason).then((isInOrder) => {
      if (isInOrder) logger.info(facts, `stopped, because of ${reason}`)
      else logger.error(facts, 'a process has not stopped in order; see the lines before for why')
      process.exit(isInOrder ? 0 : 1)
    })
  }
  // Not once: npm and a terminal may both pass one signal on, and the second would break off the stop.
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('SIGHUP', () => supervisor.reload())
  watchLauncher(stop)
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, `a bug in Tidegate: ${reasonOf(error)}; ending, and all processes with it`)
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => {
    logger.error({ err: error }, `a bug in Tidegate: an unhandled failure: ${reasonOf(error)}`)
  })
}
