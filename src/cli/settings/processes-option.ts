/** `--processes`: how many processes serve the same ports in front of a cluster. */

import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../failures/usage-error.ts'
import type { StoreSpec } from './serve-options.ts'

/** With more, each would have but a small part of the connections and the memory. */
const PROCESSES_MAX = 64

export function processesOption(): Option {
  return new Option(
    '--processes <n>',
    'processes that serve the same ports, so that all cores are used; more than one only in front of a cluster',
  )
    .env('TIDEGATE_PROCESSES')
    .argParser(parseProcesses)
    .default(1)
}

function parseProcesses(text: string): number {
  const processes = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN
  if (processes <= PROCESSES_MAX) return processes
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${PROCESSES_MAX}.`)
}

const REASONS: Readonly<Record<Exclude<StoreSpec['kind'], 'hbase'>, string>> = {
  native: 'the folder of the embedded engine belongs to one process',
  memory: 'the memory store is the memory of one process',
}

/** Throws UsageError where the store can be served by one process only. */
export function checkProcesses(processes: number, { kind }: StoreSpec): void {
  if (processes === 1 || kind === 'hbase') return
  throw new UsageError(
    `--processes ${processes} needs a cluster behind it (--store hbase:...): ${REASONS[kind]}.`,
  )
}
