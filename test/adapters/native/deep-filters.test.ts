import { expect, test } from 'vitest'
import { parseFilterJson } from '../../../src/filter/json/parse-filter-json.ts'
import { StoreUnderTest, tableOf } from './store-under-test.ts'

/** A real HBase's REST takes 499 lists, and not 500. */
const LISTS = 499

test.each(['MUST_PASS_ALL', 'MUST_PASS_ONE'])(
  'a chain of lists as long as HBase takes, %s, finds its row',
  async (op) => {
    const begin = `{"type":"FilterList","op":"${op}","filters":[`.repeat(LISTS)
    const filter = parseFilterJson(`${begin}{"type":"PrefixFilter","value":"Yg=="}${']}'.repeat(LISTS)}`)
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a', 'b', 'c'])
    expect(await session.rows({ filter })).toEqual(['b=v'])
    await session.flush()
    expect(await session.rows({ filter, reversed: true })).toEqual(['b=v'])
    await session.store.close()
  },
)
