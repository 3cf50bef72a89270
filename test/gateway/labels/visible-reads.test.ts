/** What a user's labels show is worked out once, until labels or groups change. */

import { expect, test } from 'vitest'
import { Subjects } from '../../../src/gateway/access/subject.ts'
import { CurrentLabels } from '../../../src/gateway/labels/current-labels.ts'
import { LabelBook } from '../../../src/gateway/labels/label-book.ts'
import { DEFAULT_LABEL_SETTINGS } from '../../../src/gateway/labels/label-settings.ts'
import { VisibleReads } from '../../../src/gateway/labels/visible-reads.ts'
import { get } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'

const TABLE = parseTableName('t')
const CALL = { ...OWN_CALL, isOwn: false, principal: { user: 'alice' } }

/** Of two labels with the ordinals 1 and 2. `auths`: users, or groups behind an `@`, by ordinal. */
function book(auths: Readonly<Record<number, readonly string[]>>): LabelBook {
  const cells = [1, 2].flatMap((ordinal) => {
    const row = Buffer.alloc(4)
    row.writeInt32BE(ordinal)
    const label = { row, qualifier: Buffer.of(0), value: Buffer.from(`label${ordinal}`) }
    const users = (auths[ordinal] ?? []).map((name) => ({
      row,
      qualifier: Buffer.from(name),
      value: Buffer.of(),
    }))
    return [label, ...users]
  })
  return new LabelBook(cells)
}

test('the next read sees a change of labels and one of groups', async () => {
  let now = book({ 1: ['alice'], 2: ['@spies'] })
  const current = new CurrentLabels(() => Promise.resolve(now))
  const subjects = new Subjects([], new Map())
  const reads = new VisibleReads({ subjects, current, settings: DEFAULT_LABEL_SETTINGS })
  const seen = async (): Promise<readonly unknown[]> => {
    const [read] = await reads.of(TABLE, [get(Buffer.from('r'))], CALL)
    return read?.visibility?.kind === 'labels' ? read.visibility.ordinals : ['everything']
  }
  expect(await seen()).toEqual([1])
  expect(reads.of(TABLE, [get(Buffer.from('r'))], CALL)).not.toBeInstanceOf(Promise)
  subjects.regroup(new Map([['alice', ['spies']]]))
  expect(await seen()).toEqual([1, 2])
  now = book({ 2: ['@spies'] })
  current.changed()
  expect(await seen()).toEqual([2])
  subjects.regroup(new Map())
  expect(await seen()).toEqual([])
})
