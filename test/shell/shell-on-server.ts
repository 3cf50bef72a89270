/** The shell against a server of the test's own, with what it prints. */

import { setImmediate } from 'node:timers/promises'
import type { ClusterAddress } from '../../adapters/hbase/config/cluster-address.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseClient } from '../../adapters/hbase/open-hbase-store.ts'
import { readClusterKey } from '../../adapters/hbase/replicate/cluster-key.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import { startTidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'
import { openShell } from '../../src/shell/open-session.ts'
import type { DataOutput } from '../../src/shell/output/data-formatter.ts'
import { pipedLines, runLines } from '../../src/shell/run-lines.ts'
import type { Store } from '../../src/store/store.ts'

const CLIENT = {
  options: { ...DEFAULT_HBASE_OPTIONS, pauseMs: 1, retriesMax: 2 },
  user: 'tester',
  time: NODE_TIME,
  random: Math.random,
  log: () => undefined,
}

export interface Interruption {
  /** The user interrupts where so many rows of a scan are printed. */
  readonly interruptAtRow: number
  readonly endsAtInterrupt: boolean
}

export interface ShellOnServer {
  readonly store: Store
  /** Everything that the shell prints for these lines, with prompts; and its exit code, if it states one. */
  run(
    lines: Iterable<string> | AsyncIterable<string>,
    isForgiving?: boolean,
    interruption?: Interruption,
    data?: DataOutput,
  ): Promise<{ readonly output: string; readonly code: number | undefined }>
  close(): Promise<void>
}

function open(cluster: ClusterAddress): ReturnType<typeof openHBaseClient> {
  return openHBaseClient({ cluster, ...CLIENT })
}

/** `store`: as `serve --store`. */
export async function openShellOnServer(
  store = 'memory',
  options: TidegateOptions = {},
): Promise<ShellOnServer> {
  const server = await startTidegate({ store, rest: 'off', thrift: 'off', rpc: 0, ...options })
  const servers = [{ host: '127.0.0.1', port: server.ports.rpc! }]
  const client = open({ registry: 'bootstrap', servers, znodeParent: '/hbase' })
  return {
    store: client.store,
    run: async (lines, isForgiving = true, interruption, data) => {
      const printed: string[] = []
      let rows = 0
      const write = (text: string): void => {
        printed.push(text)
        if (text.includes(' column=') && ++rows === interruption?.interruptAtRow) shell.interrupt()
      }
      const source = pipedLines(eachOf(lines), data === undefined ? write : undefined)
      const shell = openShell({
        store: client.store,
        servers: client.direct,
        output: { width: 0, write },
        user: 'tester',
        version: 'the version',
        isForgiving,
        data,
        endsAtInterrupt: interruption?.endsAtInterrupt ?? false,
        now: () => 0,
        // The servers of a test need no time to report their loads.
        sleep: () => Promise.resolve(),
        ask: () => source.next(''),
        openCluster: async (key) => open(readClusterKey(key)).store,
      })
      const code = await runLines(shell.session, source, write)
      return { output: printed.join(''), code }
    },
    close: async () => {
      await client.store.close()
      await server.stop()
    },
  }
}

/** Each line in a millisecond of its own, as people type them: two puts of a cell within one would be one version. */
async function* eachOf(lines: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const before = Date.now()
    while (Date.now() === before) await setImmediate()
    yield line
  }
}
