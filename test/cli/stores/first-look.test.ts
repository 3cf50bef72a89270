import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { lookFirst } from '../../../src/cli/stores/first-look.ts'

it('a store that fails the first question for an outage costs a line of the log, and no unhandled rejection', async () => {
  const lines: unknown[] = []
  const unhandled: unknown[] = []
  const listen = (error: unknown): number => unhandled.push(error)
  process.on('unhandledRejection', listen)
  try {
    const error = (_: unknown, line?: string): number => lines.push(line)
    lookFirst({ outage: () => Promise.reject(new Error('no answer')) }, { error })
    await nextTurn()
    await nextTurn()
  } finally {
    process.off('unhandledRejection', listen)
  }
  expect(lines).toEqual(['the store could not be asked whether it serves: no answer'])
  expect(unhandled).toEqual([])
})
