import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { splitColumn } from '../../model/column-name.ts'
import { HBaseError } from '../../model/errors.ts'
import type { TableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import { followChanges } from '../../transfer/follow-changes.ts'
import { ChangeTokens } from '../../wire/changes/change-token.ts'
import { readLogin } from '../remote/login-options.ts'
import { openServer } from '../remote/open-server.ts'
import { OutageReporter } from '../remote/outage-reporter.ts'
import { atEnd } from '../terminal/at-end.ts'
import { printProgress } from '../terminal/print-lines.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import type { ChangesFlags } from './changes-command.ts'
import { TableWatch } from './table-watch.ts'

export async function runChanges(table: TableName, flags: ChangesFlags): Promise<number> {
  const { address, columns, prefix = Buffer.alloc(0), follow = false, from } = flags
  const login = await readLogin(flags, [address.server])
  let wasRepeated = false
  const outage = new OutageReporter(address.text)
  const onRetry = (reason: string): void => {
    wasRepeated = true
    outage.failed(reason)
  }
  const demands = { retriesMax: undefined, isImpatient: false, warn: printProgress, onRetry }
  const { store } = await openServer(address.server, login, demands, () => undefined)
  const close = atEnd(() => store.close())
  const output = new Output()
  try {
    const { changes } = store.upkeep
    if (changes === undefined)
      throw new HBaseError(
        'UNSUPPORTED',
        `${address.text}: changes go by rpc:HOST:PORT or zookeeper:HOST:PORT`,
      )
    const clusterId = await clusterIdOf(store)
    const server = address.text
    const watch = new TableWatch({
      catalog: store.catalog,
      table,
      server,
      warn: printProgress,
      now: () => performance.now(),
    })
    const checkStore = async (): Promise<void> => {
      wasRepeated = false
      if ((await clusterIdOf(store)) === clusterId) return
      throw new HBaseError('DO_NOT_RETRY', `${server} is another server now than at the begin`)
    }
    const afterRead = async (): Promise<void> => {
      outage.answered()
      if (wasRepeated) await checkStore()
      if (follow) await watch.review()
    }
    const lines = followChanges({
      changes,
      tokens: new ChangeTokens(clusterId),
      table,
      wanted: { prefix, columns: columns?.map(splitColumn) },
      from,
      follows: follow,
      call: OWN_CALL,
      afterRead,
      pause: (ms) => pause(ms),
      failed: (reason) => outage.failed(reason),
    })
    for await (const chunk of lines) if (!(await output.write(chunk))) break
    return EXIT_FINE
  } finally {
    await close()
  }
}

/** As the server answers now: the client of a cluster remembers what it has heard at the begin. */
async function clusterIdOf({ upkeep }: Store): Promise<string> {
  return (await upkeep.cluster!.status(OWN_CALL)).clusterId
}

class Output {
  #isOver = false

  constructor() {
    // The reader has gone, as `head` does.
    process.stdout.on('error', () => (this.#isOver = true))
  }

  /** Resolves once the reader takes more; false: it has gone. */
  async write(bytes: Buffer): Promise<boolean> {
    const { stdout } = process
    if (!this.#isOver && !stdout.write(bytes))
      await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]).catch(() => (this.#isOver = true))
    return !this.#isOver
  }
}
