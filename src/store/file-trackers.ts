import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'

/** How the stores of a table find their files: HBase's setting `hbase.store.file-tracker.impl`. A store with one way for all its files lacks this part. */
export interface FileTrackers {
  /**
   * Changes the tracker of a family, or of the table where none is named, to `DEFAULT`, `FILE` or `MIGRATION`. Throws TABLE_NOT_FOUND,
   * TABLE_NOT_ENABLED, NO_SUCH_COLUMN_FAMILY, and DO_NOT_RETRY for a step that the present tracker does not allow.
   */
  setTracker(table: TableName, family: Buffer | undefined, tracker: string, call: Call): Promise<void>
}
