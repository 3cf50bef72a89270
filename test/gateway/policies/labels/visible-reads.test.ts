/** The visibility of a user is computed once, until labels or groups change. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import { LabelBook } from '../../../../src/gateway/policies/labels/label-book.ts'
import { DEFAULT_LABEL_SETTINGS } from '../../../../src/gateway/policies/labels/label-settings.ts'
import { VisibleReads } from '../../../../src/gateway/policies/labels/visible-reads.ts'
import { CurrentContent } from '../../../../src/gateway/policies/own-tables/current-content.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import type { Visibility } from '../../../../src/model/visibility.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { authorizations } from '../../../harness/labels/asking.ts'
import { testRuns } from '../../../harness/test-runs.ts'

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
  const current = new CurrentContent(() => Promise.resolve(now))
  const subjects = new Subjects([], new Map())
  const reads = new VisibleReads({ subjects, current, settings: DEFAULT_LABEL_SETTINGS })
  const seen = async (): Promise<readonly unknown[]> => {
    const [read] = await reads.limited(TABLE, [get(Buffer.from('r'))], CALL)
    return read?.visibility?.kind === 'labels' ? read.visibility.ordinals : ['everything']
  }
  expect(await seen()).toEqual([1])
  expect(reads.limited(TABLE, [get(Buffer.from('r'))], CALL)).not.toBeInstanceOf(Promise)
  subjects.regroup(new Map([['alice', ['spies']]]))
  expect(await seen()).toEqual([1, 2])
  now = book({ 2: ['@spies'] })
  current.changed()
  expect(await seen()).toEqual([2])
  subjects.regroup(new Map())
  expect(await seen()).toEqual([])
})

async function seenBy(
  reads: VisibleReads,
  user: string,
  labels: readonly string[] | undefined,
): Promise<Visibility | undefined> {
  const call = { ...CALL, principal: { user } }
  const [read] = await reads.limited(TABLE, [get(Buffer.from('r'), authorizations(labels))], call)
  return read?.visibility
}

test('reads that name labels see by them what a read sees whose labels are named for the first time', async () => {
  const now = book({ 1: ['alice', 'bob'], 2: ['alice'] })
  const parts = {
    subjects: new Subjects([], new Map()),
    current: new CurrentContent(() => Promise.resolve(now)),
    settings: DEFAULT_LABEL_SETTINGS,
  }
  const reads = new VisibleReads(parts)
  const names = fc.oneof(
    fc.constantFrom('label1', 'label2', 'none'),
    fc.integer({ min: 0, max: 300 }).map((number) => `none${number}`),
    fc.constant('long'.repeat(500)),
  )
  const question = fc.tuple(
    fc.constantFrom('alice', 'bob', 'carol'),
    fc.option(fc.array(names, { maxLength: 3 }), { nil: undefined }),
  )
  const judged = fc.asyncProperty(fc.array(question, { maxLength: 40 }), async (questions) => {
    for (const [user, labels] of questions)
      expect(await seenBy(reads, user, labels)).toEqual(await seenBy(new VisibleReads(parts), user, labels))
  })
  await fc.assert(judged, { numRuns: testRuns(50) })
})
