import { describe, expect, test } from 'vitest'
import { append, block, change } from './row-operations.ts'
import type { Session } from './store-under-test.ts'

/** Appends, and the order in which a column has several. */
export function describeAppends(start: () => Promise<Session>): void {
  describe('appends', () => {
    test('what is there comes first', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      await session.put('r', 'f:q', 'abc', 5n)
      await session.settle()
      const cells = block('r', [
        ['f:q', 'def'],
        ['f:new', 'x'],
      ])
      expect(await change(session, 'r', [{ kind: 'append', cells }])).toBe(
        `r/f:new@${now}=x r/f:q@${now}=abcdef`,
      )
      expect(await change(session, 'r', [append('r', 'f:q', '')])).toBe(`r/f:q@${now + 1}=abcdef`)
      expect(await change(session, 'e', [append('e', 'f:q', '')])).toBe(`e/f:q@${now}=`)
    })

    test('twice to one column: the second wins, as each sees what was there before', async () => {
      const session = await start()
      await session.create()
      const now = session.clock.time
      const cells = block('r', [
        ['f:q', 'x'],
        ['f:q', 'y'],
      ])
      expect(await change(session, 'r', [{ kind: 'append', cells }])).toBe(`r/f:q@${now}=x r/f:q@${now}=y`)
      await session.settle()
      expect(await session.get('r')).toEqual([`r/f:q@${now}=y`])
    })
  })
}
