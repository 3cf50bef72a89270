/** Transfers and comparisons of tables, as steps of the display. */

import type { TransferProgress } from '../../transfer/progress.ts'
import { showProgress } from '../terminal/command-progress.ts'
import type { Step } from '../terminal/progress-text.ts'

export function transferStep(progress: TransferProgress): Step {
  const { table, rows, bytes, regionsDone, regions, covered } = progress
  return {
    task: table,
    amounts: [
      { unit: 'rows', done: rows },
      { unit: 'bytes', done: bytes },
      ...(regions > 0 ? [{ unit: 'regions', done: regionsDone, total: regions } as const] : []),
    ],
    ...(covered?.fraction !== undefined && { fraction: covered.fraction }),
  }
}

/** Shows the progress of a table. The returned function ends that. */
export function showTransfer(progress: TransferProgress): () => void {
  return showProgress(() => transferStep(progress))
}
