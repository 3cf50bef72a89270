import type { Scan } from '../../model/query.ts'
import type { ScanBatch } from '../../model/results.ts'
import type { Call } from '../../store/call.ts'
import type { ScanLimits } from '../../store/handouts.ts'
import type { Store } from '../../store/store.ts'
import type { Target } from '../../store/target.ts'

/** An open scan that a door reads. */
export interface Scanner {
  /** The next batch. One call at a time. Throws like Handouts.next. */
  next(limits: ScanLimits, call: Call): Promise<ScanBatch>
  /** Frees the resources of the scanner. Safe to call twice. */
  close(): Promise<void>
}

/** Opens a scanner of the store, as an object in place of an id. Throws like Rows.openScanner. */
export async function openScanner(
  { rows, handouts }: Pick<Store, 'rows' | 'handouts'>,
  target: Target,
  scan: Scan,
  call: Call,
): Promise<Scanner> {
  const { id } = await rows.openScanner(target, scan, call)
  return {
    next: (limits, ofNext) => handouts.next(id, limits, ofNext),
    close: () => handouts.closeScanner(id),
  }
}
