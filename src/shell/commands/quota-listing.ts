/** Quotas as the shell lists them. */

import { isHBaseError } from '../../model/errors.ts'
import {
  QUOTA_TABLE,
  type QuotaOwner,
  type QuotaSetting,
  quotaScan,
  quotaSettingsOf,
} from '../../store/quota-description.ts'
import type { CommandContext } from '../context/command.ts'
import { scannedRows } from '../context/scanned-rows.ts'

/** All settings, in order of their rows. Throws TABLE_NOT_FOUND where there are no quotas. */
export async function* quotaSettings(context: CommandContext): AsyncGenerator<QuotaSetting> {
  for await (const cells of scannedRows(context, QUOTA_TABLE, quotaScan()))
    for (const cell of cells) yield* quotaSettingsOf(cell)
}

/**
 * Prints the quotas of a table or a namespace, for `describe`. A user who may describe a table may not be allowed to read hbase:quota. The
 * description then has no quotas and no error. HBase's shell prints the stack of the refusal there, and continues as well.
 */
export async function printQuotas(context: CommandContext, wanted: QuotaOwner): Promise<void> {
  const { out } = context
  if (!(await hasQuotas(context))) return out.line('Quota is disabled')
  if (wanted.table === 'hbase:meta') return
  if (wanted.table !== undefined) out.line()
  out.header(['QUOTAS'])
  let rows = 0
  try {
    for await (const { owner, text } of quotaSettings(context)) {
      if (owner.table !== wanted.table || owner.namespace !== wanted.namespace) continue
      out.row([text])
      rows++
    }
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'ACCESS_DENIED') throw error
    out.line(`not shown: only a user who may read ${QUOTA_TABLE} sees quotas`)
  }
  out.footer(rows)
}

async function hasQuotas({ store, call }: CommandContext): Promise<boolean> {
  try {
    return await store.catalog.tableExists(QUOTA_TABLE, call)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return false
    throw error
  }
}
