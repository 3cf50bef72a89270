import { expect, test } from 'vitest'
import { asDetached, detached } from '../../src/model/detached.ts'
import type { Filter } from '../../src/model/filter.ts'
import { heldBytes, heldBytesInSteps } from '../../src/model/held-bytes.ts'
import { atOnce } from '../../src/model/steps.ts'

function list(members: number): Filter & { kind: 'FilterList' } {
  const filters = Array.from(
    { length: members },
    (_, i): Filter => ({ kind: 'PrefixFilter', prefix: Buffer.from(`prefix${i}`) }),
  )
  return { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
}

test('the memory of a value in steps is that at once', () => {
  const value = {
    list: list(3000),
    map: new Map([['a', Buffer.alloc(10)]]),
    n: 1,
    none: undefined,
    text: 'x',
  }
  const steps = heldBytesInSteps(value)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count++
  expect(step.value).toBe(heldBytes(value))
  expect(count).toBeGreaterThan(10)
})

test('the memory of a large value that never changes is counted once', () => {
  const filter = list(1000)
  const bytes = heldBytes(filter)
  atOnce(asDetached(filter))
  expect(heldBytes(filter)).toBe(bytes)
  expect(detached({ filter }).filter).toBe(filter)
  // Whether the members are looked at shows by a change, which no such value has elsewhere.
  ;(filter.filters as Filter[]).pop()
  expect(heldBytes(filter)).toBe(bytes)
})
