/** `tidegate import-timeline`: the store of Hadoop's timeline server into a store of Tidegate's. */

import { resolve } from 'node:path'
import { Command } from 'commander'
import type { ImportState } from '../../doors/timeline/import/import-timeline.ts'
import { counted } from '../../model/counted.ts'
import { readServeSettings } from '../settings/serve-options.ts'
import { addServeOptions } from '../settings/stated-values.ts'
import { timelineSettings } from '../settings/timeline-options.ts'
import { atEnd } from '../terminal/at-end.ts'
import { beginProgress, type ProgressFlags, quietOption, withProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'
import { requireLevelLibrary } from './level-installation.ts'

interface ImportFlags extends ProgressFlags {
  readonly store: string
  readonly config?: string
}

/** Nothing expires while it is imported. */
const KEEPING = new Map([['yarn.timeline-service.ttl-enable', 'false']])

export function addTimelineCommands(program: Command): void {
  program
    .command('import-timeline')
    .description(
      'bring the folder of a RollingLevelDBTimelineStore, whose server has stopped, into the tables of the timeline door',
    )
    .argument('<directory>', 'the folder leveldb-timeline-store')
    .requiredOption('--store <store>', 'as of serve; no server may run on a folder')
    .option('--config <file>', 'as of serve')
    .addOption(quietOption())
    .exitOverride()
    .action((directory: string, flags: ImportFlags) => runTool(() => importTimeline(directory, flags)))
}

function stepOf({ entities, databases, databasesDone }: ImportState): Step {
  return {
    task: 'timeline',
    amounts: [
      { unit: 'entities', done: entities },
      { unit: 'databases', done: databasesDone, total: databases },
    ],
  }
}

async function importTimeline(directory: string, flags: ImportFlags): Promise<number> {
  const { store: spec, config } = flags
  beginProgress(
    'import-timeline',
    flags,
    () => 'Rows that were imported stay: the same command imports all anew',
  )
  const args = ['--store', spec, ...(config === undefined ? [] : ['--config', config])]
  const command = addServeOptions(new Command('serve')).exitOverride()
  const settings = readServeSettings(command.parse(args, { from: 'user' }))
  // Before the store is opened, in which an import makes tables.
  requireLevelLibrary()
  const { openStore } = await import('../stores/open-store.ts')
  const { serverLog } = await import('../logs/server-log.ts')
  const { TimelineService } = await import('../../doors/timeline/service/timeline-service.ts')
  const { TimelineImport } = await import('../../doors/timeline/import/import-timeline.ts')
  const logger = serverLog('warn')
  const { openKerberosOf } = await import('../kerberos/open-kerberos.ts')
  const kerberos = await openKerberosOf({ store: settings.store, guard: undefined }, logger)
  const store = await openStore(
    settings.store,
    logger,
    {},
    {
      keepsProcess: true,
      kerberos: kerberos?.cluster,
    },
  )
  try {
    const service = new TimelineService({
      store,
      limits: settings.limits,
      settings: timelineSettings(KEEPING),
      logger,
      now: Date.now,
    })
    const importing = new TimelineImport(service, resolve(directory), printProgress)
    const running = withProgress(
      () => stepOf(importing.state),
      () => importing.run(),
    )
    const stopped = atEnd(async () => {
      importing.stop()
      await running
    })
    const imported = await running
    await stopped()
    const { entities, periods, domains, leftOut } = imported
    const missing = leftOut === 0 ? '' : `; ${counted(leftOut, 'value')} left out`
    printLine(
      `imported ${counted(entities, 'entity', 'entities')} of ${counted(periods, 'period')} and ${counted(domains, 'domain')}${missing}`,
    )
  } finally {
    await store.close()
    await kerberos?.close()
  }
  return EXIT_FINE
}
