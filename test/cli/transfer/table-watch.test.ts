import { expect, test } from 'vitest'
import { TableWatch } from '../../../src/cli/transfer/table-watch.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { TableState } from '../../../src/store/catalog.ts'

test('says once that a followed table is disabled, and once that it is enabled again', async () => {
  const lines: string[] = []
  let state: TableState = 'ENABLED'
  let now = 0
  let asked = 0
  const watch = new TableWatch({
    catalog: {
      tableState: () => {
        asked++
        return Promise.resolve(state)
      },
    },
    table: parseTableName('t'),
    server: 'rpc:a:1',
    warn: (line) => lines.push(line),
    now: () => now,
  })
  const review = async (next: TableState, times: number): Promise<void> => {
    state = next
    for (let time = 0; time < times; time++, now += 1000) await watch.review()
  }
  await review('ENABLED', 10)
  expect([asked, lines]).toEqual([2, []])
  await review('DISABLED', 20)
  expect(lines).toEqual([expect.stringContaining('the table t is disabled')])
  await review('ENABLED', 20)
  expect(lines.slice(1)).toEqual([expect.stringContaining('enabled again')])
})
