import type { Scan } from '../../model/query.ts'
import type { ScanBatch } from '../../model/results.ts'
import type { Call } from '../../store/call.ts'
import type { ScanLimits } from '../../store/handouts.ts'
import type { Store } from '../../store/store.ts'
import type { Target } from '../../store/target.ts'

/** A scan for a door to read. */
export interface Scanner {
  /** One call at a time. Throws as Handouts.next. */
  next(limits: ScanLimits, call: Call): Promise<ScanBatch>
  /** Frees what the scanner holds. Safe to call twice. */
  close(): Promise<void>
}

/** Opens a scanner of the store, which knows it by its id alone. Throws as Rows.openScanner. */
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
