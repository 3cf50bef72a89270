/** One of the processes that serve together: its parent starts it, hears its state, and stops it. */

import { rmSync } from 'node:fs'
import { RecentEvents } from '../../gateway/observing/logs/recent-events.ts'
import { Siblings } from '../../gateway/siblings/siblings.ts'
import { describeFailure, exitCodeOf } from '../failures/describe-failure.ts'
import { serverLog } from '../logs/server-log.ts'
import { serve } from '../serve/serve.ts'
import type { ServeSettings } from '../settings/serve-options.ts'
import type { NameSetting } from '../settings/setting-names.ts'
import type { FromWorker, WorkerPlace } from './messages.ts'
import { ParentLink } from './parent-link.ts'
import { settingsOfWorker } from './worker-settings.ts'

export async function serveAsWorker(
  place: WorkerPlace,
  settings: ServeSettings,
  nameOf: NameSetting,
): Promise<void> {
  // Node ends a worker whose parent has gone; what the parent would have cleared away is then the workers' to clear.
  process.on('exit', () => {
    if (!process.connected) rmSync(place.folder, { recursive: true, force: true })
  })
  const events = new RecentEvents()
  const link = new ParentLink(settings.processes)
  try {
    await serve(settingsOfWorker(settings, place), nameOf, {
      logger: serverLog(settings.logLevel, { facts: { process: place.number }, events }),
      events,
      together: { siblings: new Siblings(place), reports: link, process: place.number },
      ready: (server, addresses) => {
        const ports = Object.fromEntries([...server.doors].map(([name, door]) => [name, door.port]))
        const { lowered } = server
        link.answers(server.report)
        say({ kind: 'ready', facts: { store: server.store.kind, addresses, ports, lowered } })
      },
      stopping: () => undefined,
      onStop: (stop) => link.onStop(stop),
      onReload: (reload) => link.onReload(reload),
    })
  } catch (error) {
    const fault = { message: describeFailure(error), exitCode: exitCodeOf(error) }
    say({ kind: 'failed', fault }, () => process.exit(fault.exitCode))
  }
}

function say(message: FromWorker, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent)
}
