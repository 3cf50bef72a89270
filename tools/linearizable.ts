/**
 * `npm run linearizable -- [--seconds 60] [--seed S] [--clients 2] [--store hbase:HOST:PORT] [--processes 3] [--threads 3]
 * [--plant stale-reads]`: clients at every door on a server that is disturbed and killed; what they saw must be linearizable, row by row. Without --store
 * it works on the embedded engine in a temporary folder. Ends with code 1 where a history is not linearizable, or with --plant
 * where the planted fault is not found.
 */

import { parseArgs } from 'node:util'
import { runLinearizable, summary } from '../test/harness/linearizability/run-linearizable.ts'
import { inTemporaryFolder } from '../test/harness/tidegate-process.ts'
import { wholeNumber } from './whole-number.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    seed: { type: 'string' },
    clients: { type: 'string' },
    store: { type: 'string' },
    processes: { type: 'string' },
    threads: { type: 'string' },
    table: { type: 'string' },
    plant: { type: 'string' },
  },
})

async function run(store: string): Promise<void> {
  if (values.plant !== undefined && values.plant !== 'stale-reads')
    throw new Error(`--plant ${values.plant}: the only planted fault is stale-reads`)
  const seed = wholeNumber('seed', values.seed) ?? Date.now() % 1_000_000
  const isPlanted = values.plant !== undefined
  const result = await runLinearizable({
    store,
    processes: wholeNumber('processes', values.processes) ?? 1,
    threads: wholeNumber('threads', values.threads) ?? 0,
    seconds: wholeNumber('seconds', values.seconds) ?? 60,
    seed,
    clientsOfDoor: wholeNumber('clients', values.clients) ?? 2,
    table: values.table ?? 'linearizable',
    hasStaleReads: isPlanted,
    say: (line) => process.stdout.write(`${line}\n`),
  })
  process.stdout.write(`${summary(result)}\n`)
  const isFound = result.failures.length > 0
  if (isFound) process.stdout.write(`not linearizable, --seed ${seed}:\n${result.failures[0]}\n`)
  else
    process.stdout.write(isPlanted ? 'the planted fault was not found\n' : 'all histories are linearizable\n')
  if (isFound !== isPlanted) process.exitCode = 1
}

try {
  if (values.store === undefined) await inTemporaryFolder((folder) => run(`native:${folder}`))
  else await run(values.store)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
}
