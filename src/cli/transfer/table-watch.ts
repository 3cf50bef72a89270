import type { TableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Catalog } from '../../store/catalog.ts'

interface WatchParts {
  readonly catalog: Pick<Catalog, 'tableState'>
  readonly table: TableName
  /** The server, as messages name it. */
  readonly server: string
  readonly warn: (text: string) => void
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
}

const REVIEW_MS = 5000

/** Says when a table that is followed is disabled, and when it is enabled again: a disabled table has no changes, and looks like a quiet one. */
export class TableWatch {
  readonly #parts: WatchParts
  #isEnabled = true
  #reviewedAt = Number.NEGATIVE_INFINITY

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** Asks the server every five seconds. Throws TABLE_NOT_FOUND for a table that was dropped. */
  async review(): Promise<void> {
    const { catalog, table, server, warn, now } = this.#parts
    if (now() - this.#reviewedAt < REVIEW_MS) return
    this.#reviewedAt = now()
    const isEnabled = (await catalog.tableState(table, OWN_CALL)) === 'ENABLED'
    if (isEnabled === this.#isEnabled) return
    this.#isEnabled = isEnabled
    warn(
      isEnabled
        ? `${server}: the table ${table} is enabled again. If it was truncated or restored meanwhile, the rows that went have no lines here: read the table anew`
        : `${server}: the table ${table} is disabled, and has no changes; waiting until it is enabled`,
    )
  }
}
