import { toStringBinary } from '../../../src/model/bytes.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'

const LIMITS = { rows: 1000, bytes: 2 * 1024 * 1024, allowPartial: false }

/** All cells of a table, a line each, without their times. */
export async function tableContents(name: string, { rows, handouts }: Store): Promise<string> {
  const { id } = await rows.openScanner(parseTableName(name), scan(), OWN_CALL)
  const lines: string[] = []
  for (;;) {
    const { results, ended } = await handouts.next(id, LIMITS, OWN_CALL)
    for (const { row, family, qualifier, value } of cellsOf(gathered(results).cells))
      lines.push([row, family, qualifier, value].map((bytes) => toStringBinary(bytes)).join(' '))
    if (ended === 'scan') break
  }
  await handouts.closeScanner(id)
  return lines.join('\n')
}
