/** A read of another thread is stopped at each point at which it uses a shared number, and the writer at some of its points meanwhile. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Litmus } from '../../../harness/readers/litmus.ts'
import { DISTURBANCES } from '../../../harness/readers/litmus-changes.ts'

describe.each(['get', 'scan', 'scan in turns'] as const)('a %s', (kind) => {
  let litmus: Litmus
  beforeAll(async () => {
    litmus = await Litmus.open()
  })
  afterAll(() => litmus.close())

  test('finds one state of its rows beside overwrites', async () => {
    expect(await litmus.firstFault(kind, DISTURBANCES.overwrites, 5)).toBe(undefined)
  })
})
