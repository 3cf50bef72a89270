/**
 * Readers beside the writers of a kill loop, each with a connection of its own: a read has what was acknowledged before it began,
 * whichever connection that came by, or what was under way meanwhile.
 */

import type { ChildServer } from '../child-server.ts'
import { IdleConnection } from '../idle-connection.ts'
import { type KeptRows, NO_ROW, stateOf, WrongRow } from './kept-rows.ts'
import type { KillWriter } from './kill-writer.ts'
import { RowReader } from './row-reader.ts'

export interface ReadClient {
  readonly kept: KeptRows
  readonly writer: KillWriter
}

export interface ReadingOptions {
  readonly server: ChildServer
  readonly clients: readonly ReadClient[]
  readonly readers: number
  readonly dead: Promise<never>
  readonly isDying: () => boolean
}

/** Reads until the server dies. Resolves to the number of rows that were read. Throws where a living server answers wrongly. */
export async function readBeside({
  server,
  clients,
  readers,
  dead,
  isDying,
}: ReadingOptions): Promise<number> {
  const port = server.port('thrift')
  const idle = await IdleConnection.open(port)
  const all = Array.from({ length: readers }, () => new RowReader(port))
  try {
    const counts = await Promise.all(all.map((reader) => readOn(reader, clients, dead, isDying)))
    return counts.reduce((sum, count) => sum + count, 0)
  } finally {
    for (const reader of all) reader.close()
    idle.close()
  }
}

async function readOn(
  reader: RowReader,
  clients: readonly ReadClient[],
  dead: Promise<never>,
  isDying: () => boolean,
): Promise<number> {
  let count = 0
  for (;;) {
    const { kept, writer } = clients[Math.floor(Math.random() * clients.length)]!
    const last = [writer.puts, writer.puts - 1].filter((number) => number >= 0)
    const names = [...writer.changing, ...last.map((number) => writer.putRow(number))]
    const reads = names.map((name) => kept.reading(name))
    try {
      const found = await Promise.race([reader.rows(names), dead])
      for (const [i, name] of names.entries()) {
        const cells = found.get(name)
        reads[i]!.found(cells === undefined ? NO_ROW : stateOf(cells))
      }
      count += names.length
    } catch (error) {
      if (isDying() && !(error instanceof WrongRow)) return count
      throw error
    } finally {
      for (const read of reads) read.end()
    }
  }
}
