/** Figures of the changes that a server has taken from other clusters. HBase: MetricsSink. */

import type { ServerName } from '../../model/server-name.ts'

export class SinkFigures {
  /** All times in milliseconds since 1970. */
  readonly startedMs: number
  lastWrittenMs: number
  /** Milliseconds between the writing of the last change there, and its writing here. */
  ageMs = 0
  operations = 0

  constructor(startedMs: number) {
    this.startedMs = startedMs
    this.lastWrittenMs = startedMs
  }

  /** Notes a batch whose last entry the other cluster has written at `writtenMs`. `operations`: its entries and files. */
  applied(operations: number, writtenMs: number, nowMs: number): void {
    // HBase, too, reports no age where the last entry is not newer than the one before.
    this.ageMs = writtenMs === this.lastWrittenMs ? 0 : nowMs - writtenMs
    this.lastWrittenMs = writtenMs
    this.operations += operations
  }
}

/** A process has one server, but for tests. */
const figures = new WeakMap<ServerName, SinkFigures>()

/** The figures of the server that has this name; `server` is the very object that its doors have. */
export function sinkFiguresOf(server: ServerName): SinkFigures {
  let found = figures.get(server)
  if (found === undefined) figures.set(server, (found = new SinkFigures(server.startCode)))
  return found
}
