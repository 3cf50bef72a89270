/** Reads of cells that may have labels: of the main thread, and of threads that read rows themselves. HBase: VisibilityController. */

import type { Get, Scan } from '../../../model/query.ts'
import type { Call } from '../../../store/call.ts'
import type { ReadRows } from '../../../store/rows.ts'
import type { Target } from '../../../store/target.ts'
import { VisibleReads, type VisibleReadsParts } from './visible-reads.ts'

export interface LabelledReadsParts extends VisibleReadsParts {
  readonly rows: ReadRows
}

export function labelledReads(parts: LabelledReadsParts): ReadRows {
  const { rows } = parts
  const visible = new VisibleReads(parts)
  return {
    get: (target, gets, limits, call) =>
      reading(visible, { target, reads: gets, call }, (own) => rows.get(target, own, limits, call)),
    openScanner: (target, scan, call) =>
      reading(visible, { target, reads: [scan], call }, ([own]) => rows.openScanner(target, own!, call)),
  }
}

/** Without `async`: an await would cost a read more than its labels do. */
function reading<Read extends Get | Scan, Answer>(
  visible: VisibleReads,
  { target, reads, call }: { readonly target: Target; readonly reads: readonly Read[]; readonly call: Call },
  run: (reads: readonly Read[]) => Promise<Answer>,
): Promise<Answer> {
  try {
    const own = visible.limited(target, reads, call)
    return own instanceof Promise ? own.then(run) : run(own)
  } catch (error) {
    return Promise.reject(error)
  }
}
