import type { Metric } from '../model/metric.ts'
import type { PeerFigures } from './peer-figures.ts'

type Read = (figures: PeerFigures) => number

/** `figures`: of all peers, as they are now. */
export function replicationMetrics(figures: () => readonly PeerFigures[]): Metric[] {
  const metric = (kind: 'counter' | 'gauge', name: string, help: string, value: Read): Metric => ({
    name: `tidegate_replication_${name}`,
    kind,
    help,
    labels: ['peer'],
    read: () => figures().map((each) => ({ labels: { peer: each.peerId }, value: value(each) })),
  })
  return [
    metric('gauge', 'lag_bytes', 'Bytes of the log that the peer lacks', (of) => of.leftBytes),
    metric(
      'gauge',
      'lag_seconds',
      'Age of the oldest change that the peer lacks; 0: it lacks none',
      (of) => of.lagSeconds,
    ),
    metric('gauge', 'stopped', '1 where the log is not kept for the peer any more, else 0', (of) =>
      of.loss === undefined ? 0 : 1,
    ),
    metric('counter', 'shipped_changes_total', 'Changes that the peer has taken', (of) => of.shippedChanges),
    metric('counter', 'shipped_cells_total', 'Cells that the peer has taken', (of) => of.shippedCells),
    metric('counter', 'shipped_bytes_total', 'Bytes of these cells', (of) => of.shippedBytes),
    metric(
      'counter',
      'dropped_changes_total',
      'Changes of deleted tables and families that were left out, as settings allow',
      (of) => of.droppedChanges,
    ),
    metric('counter', 'failures_total', 'Attempts to send that have failed', (of) => of.failures),
  ]
}
