/** Clients that append a few bytes to a large value, each to one of its own: a request of a hundred bytes makes the server use several times the value. */

import { append, getRow, mutateRow } from '../thrift-frames.ts'
import { askOne } from './large-values.ts'

export interface AppendClients {
  readonly clients: number
  readonly valueBytes: number
  readonly durationMs: number
}

export interface AppendOutcomes {
  appends: number
  /** Calls that the server refused for now: the client asks again. */
  refused: number
  /** Connections that ended without an answer, answers that are no exception, and appends that are not there. */
  readonly failures: string[]
}

const SUFFIX = 'appended'

/** Every acknowledged suffix must be there afterwards, once. */
export async function largeAppends(
  port: number,
  table: string,
  { clients, valueBytes, durationMs }: AppendClients,
): Promise<AppendOutcomes> {
  const outcomes: AppendOutcomes = { appends: 0, refused: 0, failures: [] }
  const end = performance.now() + durationMs
  const client = async (number: number): Promise<void> => {
    const row = `append${number}`
    while ((await askOne(port, mutateRow(table, row, 'f:q', 'v'.repeat(valueBytes)), outcomes)) === undefined)
      if (performance.now() > end) return
    let acknowledged = 0
    let asked = 0
    while (performance.now() < end) {
      asked++
      const answer = await askOne(port, append(table, row, 'f:q', SUFFIX), outcomes)
      if (answer === undefined) continue
      acknowledged++
      outcomes.appends++
    }
    let answer: Buffer | undefined
    for (let failed = outcomes.failures.length; answer === undefined && outcomes.failures.length === failed; )
      answer = await askOne(port, getRow(table, row), outcomes)
    const found = answer?.toString('latin1') ?? ''
    const count = found.split(SUFFIX).length - 1
    if (count < acknowledged || count > asked)
      outcomes.failures.push(`${row}: ${count} suffixes were found of ${acknowledged} that were acknowledged`)
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return outcomes
}
