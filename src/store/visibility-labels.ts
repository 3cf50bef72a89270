import type { HBaseError } from '../model/errors.ts'
import type { Call } from './call.ts'

/** The outcome of one label of a request; undefined: it was done. */
export type LabelOutcome = HBaseError | undefined

/**
 * The labels that cells may have, and the users who may see them, as HBase's VisibilityController keeps them in hbase:labels.
 * Users are bytes, groups are users behind an `@`. A store that lacks this part shows every cell to everybody who may read it.
 */
export interface VisibilityLabels {
  /** Whether requests obey the labels. */
  areEnforced(call: Call): Promise<boolean>
  addLabels(labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]>
  /** Lets the user see the labels. */
  setAuths(user: Buffer, labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]>
  clearAuths(user: Buffer, labels: readonly Buffer[], call: Call): Promise<LabelOutcome[]>
  /** The labels that the user, or the group alone, may see. Throws ACCESS_DENIED. */
  auths(user: Buffer, call: Call): Promise<Buffer[]>
  /** All labels but HBase's own, those that match the whole of a Java regular expression. Throws ACCESS_DENIED. */
  listLabels(pattern: string | undefined, call: Call): Promise<Buffer[]>
}
